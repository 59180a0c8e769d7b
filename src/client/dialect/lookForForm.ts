import type { EndpointPath, ReplyOf, RequestOf } from '../../contract/endpoints.ts';
import { findProduct } from '../../contract/resources/application.ts';
import type { Dialect } from './dialect.ts';
import type { ListName } from './lists.ts';

/** Reads from the server; the dialect learns from every reply. */
type Read = <P extends EndpointPath>(path: P, body: RequestOf<P>) => Promise<ReplyOf<P>>;

/** At most this many reports or applications are read to learn a form. */
const objectLimit = 48;
const readsAtATime = 8;

/**
 * Reads objects of a server until one shows how the server writes a list. Objects that the account cannot read are
 * skipped.
 * @throws {ClientError} when the list of objects cannot be read.
 */
export async function lookForForm(dialect: Dialect, name: ListName, read: Read): Promise<void> {
  const readings = await readingsFor(name, read);
  for (let first = 0; first < readings.length && !dialect.knows(name); first += readsAtATime) {
    await Promise.allSettled(readings.slice(first, first + readsAtATime).map((reading) => reading()));
  }
}

async function readingsFor(name: ListName, read: Read): Promise<(() => Promise<unknown>)[]> {
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
