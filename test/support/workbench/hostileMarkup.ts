/** The command that a link would run: it opens a terminal, which is seen. */
export const hostileCommand = 'command:workbench.action.terminal.new';

/**
 * Texts that become links, images, icons, markup or requests wherever a surface reads them as more than words.
 * @param canary address that nothing may ask for.
 */
export function hostileMarkup(canary: string): readonly string[] {
  const argument = encodeURIComponent(JSON.stringify({ config: { shellPath: '/bin/sh' } }));
  return [
    `[Repair this report](${hostileCommand}?${argument})`,
    `[open](${hostileCommand})`,
    `[open](${hostileCommand} "Opens the report")`,
    `[open](${hostileCommand} 'Opens the report')`,
    `[OPEN](COMMAND:workbench.action.terminal.new)`,
    `[[nested]](${hostileCommand})`,
    `[a [b](${hostileCommand}) c](${hostileCommand})`,
    `[a](b)[c](${hostileCommand})[d](${canary})`,
    `[open]\u200b(${hostileCommand})`,
    `[open]\u200d(${hostileCommand})`,
    `[open]\u202e(${hostileCommand})`,
    `[open]\u0000(${hostileCommand})`,
    `[open]\u00ad(${hostileCommand})`,
    `[open]\ufeff(${hostileCommand})`,
    `[o\u200bpen](${hostileCommand})`,
    `[two\nlines](${hostileCommand})`,
    `[two\r\nlines](${hostileCommand} "a\r\nb")`,
    `[open]\n(${hostileCommand})`,
    `[web](${canary}/link)`,
    `[web](${canary}/link "https://example.com")`,
    `[file](file:///etc/passwd)`,
    `[editor](vscode://file/etc/passwd)`,
    `[data](data:text/html,<script>fetch('${canary}/data')</script>)`,
    `[script](javascript:fetch('${canary}/script'))`,
    `![image](${canary}/image.png)`,
    `[![image](${canary}/inner.png)](${hostileCommand})`,
    `<img src="${canary}/tag.png" onerror="fetch('${canary}/error')">`,
    `<a href="${hostileCommand}">anchor</a>`,
    `<a href="${canary}/anchor">anchor</a>`,
    `<${canary}/auto>`,
    `${canary}/bare and www.example.com and mail@example.com`,
    `[reference]: ${canary}/reference\n\n[reference]`,
    `$(squirrel) Delete $(rocket~spin)`,
    `\\$(snake) \\[x](${hostileCommand})`,
    `\`[code](${hostileCommand})\``,
    `\u001b]8;;${canary}/ansi\u0007ansi\u001b]8;;\u0007 \u001b[31mred`,
    `\u202e\u2066[bidi](${hostileCommand})\u2069`,
    `# head\n\n* [item](${hostileCommand})\n\n> [quote](${hostileCommand})\n\n    [block](${hostileCommand})`,
    `**[strong](${hostileCommand})** _[weak](${hostileCommand})_ ~~[gone](${hostileCommand})~~`,
    `[long](${hostileCommand})`.padEnd(10_000, ` [long](${hostileCommand})`),
  ];
}
