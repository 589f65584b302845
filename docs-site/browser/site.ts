import { startCalculator } from './calculator.ts';
import { startCopying } from './copy.ts';
import { startDeepLinks } from './deep-links.ts';
import { startMenu } from './menu.ts';
import { startMissing } from './missing.ts';
import { startNetworks } from './networks.ts';
import { startSearch } from './search.ts';
import { startTabs } from './tabs.ts';
import { startThemeButton } from './theme-button.ts';
import { startTryIt } from './try-it/start.ts';

startThemeButton();
startMenu();
startMissing();
startTabs();
startCopying();
startDeepLinks();
startCalculator();
startSearch();
startTryIt();
// Without it the page still shows what the document says.
startNetworks().catch(() => undefined);
