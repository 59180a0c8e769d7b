import { randomBytes } from 'node:crypto';
import * as l10n from '../../l10n/l10n.ts';

/** Webview URIs of a page's resources. */
export interface PageAddresses {
  /** Origin of all resources of the extension. */
  source: string;
  script: string;
  style: string;
}

/**
 * The HTML of a page. Its content security policy allows only its own script, style sheet and font: no other sources
 * and no inline code. The texts that the page translates are in it as data, for `webview/shared/texts.ts`.
 */
export function pageHtml({ source, script, style }: PageAddresses, title: string): string {
  const texts = l10n.configuration();
  const nonce = randomBytes(18).toString('base64url');
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; font-src ${source}`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(texts.language)}">
  <head>
    <meta charset="UTF-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${escapeHtml(style)}">
    <title>${escapeHtml(title)}</title>
  </head>
  <body>
    <div id="page"></div>
    <script id="texts" type="application/json">${jsonData(texts)}</script>
    <script nonce="${nonce}" src="${escapeHtml(script)}"></script>
  </body>
</html>`;
}

/** HTML that only displays a text: it loads and runs nothing. */
export function noticeHtml(title: string, text: string): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(l10n.language())}">
  <head>
    <meta charset="UTF-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
    <title>${escapeHtml(title)}</title>
  </head>
  <body>
    <h1>${escapeHtml(title)}</h1>
    <p>${escapeHtml(text)}</p>
  </body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON that cannot end the element around it. */
function jsonData(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
