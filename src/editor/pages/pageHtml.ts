import { randomBytes } from 'node:crypto';

/** Webview URIs of a page's resources. */
export interface PageAddresses {
  /** Origin of all resources of the extension. */
  source: string;
  script: string;
  style: string;
}

/**
 * The HTML of a page. Its content security policy allows only its own script, style sheet and font: no other sources
 * and no inline code.
 */
export function pageHtml({ source, script, style }: PageAddresses, title: string, language: string): string {
  const nonce = randomBytes(18).toString('base64url');
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; font-src ${source}`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
  <head>
    <meta charset="UTF-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${escapeHtml(style)}">
    <title>${escapeHtml(title)}</title>
  </head>
  <body>
    <div id="page"></div>
    <script nonce="${nonce}" src="${escapeHtml(script)}"></script>
  </body>
</html>`;
}

/** HTML that only displays a text: it loads and runs nothing. */
export function noticeHtml(title: string, text: string, language: string): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
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
