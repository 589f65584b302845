/** How the port of `ops`, `docs` or a network is set in a configuration file. */
export function portSettingIn(file: string): (listener: string) => string {
  return (listener) =>
    listener === 'ops' || listener === 'docs'
      ? `${listener}.port in ${file}`
      : `listen.port of network ${listener} in ${file}`;
}
