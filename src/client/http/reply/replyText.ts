import { ClientError, type ClientErrorDetails } from '../../clientError.ts';
import type { IncomingReply } from '../transport.ts';
import { say } from '../../../l10n/l10n.ts';

/**
 * The whole text of a reply, in the charset that it names, else UTF-8.
 * @throws {ClientError} of kind malformed for bytes that are no text: what replaced them would be saved back.
 */
export async function readText({ body, contentType }: IncomingReply, facts: ClientErrorDetails): Promise<string> {
  let text = '';
  for await (const part of textOf(body, contentType, facts)) text += part;
  return text;
}

/** The same reply in UTF-8, which is what results are read in; bytes that are UTF-8 already pass as they are. */
export function inUtf8(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  facts: ClientErrorDetails,
): AsyncIterable<Uint8Array> {
  return ['utf-8', 'utf8', 'us-ascii'].includes(charsetOf(contentType))
    ? body
    : encoded(textOf(body, contentType, facts));
}

async function* encoded(parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) if (part !== '') yield Buffer.from(part);
}

async function* textOf(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  facts: ClientErrorDetails,
): AsyncGenerator<string> {
  const charset = charsetOf(contentType);
  const decoder = decoderOf(charset, facts);
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new ClientError('malformed', say('The reply of {0} is not text in {1}.', facts.server, charset), {
        ...facts,
        cause,
      });
    }
  };
  for await (const chunk of body) yield decode(chunk);
  yield decode();
}

function decoderOf(charset: string, facts: ClientErrorDetails) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    const message = say('{0} answers in the charset {1}, which is not known here.', facts.server, charset);
    throw new ClientError('malformed', message, { ...facts, cause });
  }
}

function charsetOf(contentType: string): string {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
}
