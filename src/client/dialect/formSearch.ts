import { endpoints, type EndpointPath, type ReplyOf, type RequestOf } from '../../contract/endpoints.ts';
import { findProduct } from '../../contract/resources/application.ts';
import { defaultLimits } from '../http/endpointCall.ts';
import { waitFor } from '../http/waitFor.ts';
import type { Dialect } from './dialect.ts';
import type { ListName } from './lists.ts';

/** Reads from the server; the dialect learns from every reply. */
type Read = <P extends EndpointPath>(path: P, body: RequestOf<P>) => Promise<ReplyOf<P>>;

/** At most this many reports or applications are read to learn a form. */
const objectLimit = 48;
const readsAtATime = 8;

interface FormSearchOptions {
  readonly server: string;
  readonly dialect: Dialect;
  readonly read: Read;
  /** Called when a write sends a list in our form to a server that has not shown that it takes it. */
  readonly onUnseen: ((name: ListName) => void) | undefined;
}

/** Looks among a server's objects for the form of lists, before a request sends them in one that is unknown there. */
export class FormSearch {
  readonly #options: FormSearchOptions;
  /** Searches, each made once. */
  readonly #looks = new Map<ListName, Promise<void>>();

  constructor(options: FormSearchOptions) {
    this.#options = options;
  }

  /** @throws {ClientError} only when cancelled. */
  async before(path: EndpointPath, body: object, signal: AbortSignal | undefined): Promise<void> {
    const { server, dialect, onUnseen } = this.#options;
    for (const name of dialect.unknownIn(path, body)) {
      const look = this.#looks.get(name) ?? this.#look(name);
      this.#looks.set(name, look);
      try {
        await waitFor(look, { signal, deadlineMs: defaultLimits.deadlineMs }, { server, isUnsent: true });
      } catch (error) {
        if (signal?.aborted) throw error;
        // Where nothing can be read, our form is still the likeliest.
        this.#looks.delete(name);
      }
      if (!dialect.knows(name) && !endpoints[path].isSafe) onUnseen?.(name);
    }
  }

  /** Reads objects until one shows the form. Objects that the account cannot read are skipped. */
  async #look(name: ListName): Promise<void> {
    const readings = await this.#readings(name);
    for (let first = 0; first < readings.length && !this.#options.dialect.knows(name); first += readsAtATime) {
      await Promise.allSettled(readings.slice(first, first + readsAtATime).map((reading) => reading()));
    }
  }

  async #readings(name: ListName): Promise<(() => Promise<unknown>)[]> {
    const { read } = this.#options;
    if (name === 'userValues') return [() => read('DataTag/GetAllDataTags', {})];
    if (name === 'joins') {
      const servers = await read('AppBuilder/GetAnyDbModulesList', {});
      return servers.slice(0, objectLimit).flatMap((server) => {
        const moduleid = String(findProduct(server)?.ID ?? '');
        const body = { moduleid, regserverid: String(server.ID ?? '') };
        return moduleid === '' ? [] : [() => read('AppBuilder/GetAnyDbModule', body)];
      });
    }
    const items = await read('library/SearchReports', { searchstring: '' });
    const reports = items.filter(({ itemtype }) => itemtype !== 0).slice(0, objectLimit);
    return reports.map(
      ({ id }) =>
        () =>
          read('Report/GetReport', { ReportId: String(id ?? ''), isbuilder: true }),
    );
  }
}
