import * as l10n from '../../l10n/l10n.ts';

/** Texts of the page in the display language, which the host puts into its HTML. Pages import this module first. */
const data = document.getElementById('texts')?.textContent;
if (data) l10n.config(JSON.parse(data) as ReturnType<typeof l10n.configuration>);
