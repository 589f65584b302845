import Handlebars from 'handlebars';

/** Renders one of the templates by its name. */
export type Render = (template: string, view: object) => string;

/**
 * Compiles templates that may use one another. Those called "….md" write Markdown as it stands, the
 * others HTML: everything is escaped but what they ask for in three braces. A member the view lacks
 * is an error.
 */
export function compileTemplates(texts: ReadonlyMap<string, string>): Render {
  const handlebars = Handlebars.create();
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  for (const [name, text] of texts) {
    // Lines of code must not be moved to the right with the line that includes them.
    const noEscape = name.endsWith('.md');
    const template = handlebars.compile(text, { strict: true, preventIndent: true, noEscape });
    handlebars.registerPartial(name, template);
    compiled.set(name, template);
  }
  return (name, view) => {
    const template = compiled.get(name);
    if (template === undefined) throw new Error(`there is no template "${name}"`);
    return template(view);
  };
}
