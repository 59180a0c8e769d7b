import { expect } from 'vitest';
import { ClientError } from '../../../src/client/clientError.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import type { EndpointRow } from '../../../src/contract/endpointRow.ts';
import { readEnvelope } from '../../../src/contract/envelope.ts';
import { claimOf, type Claim } from './faultClaims.ts';
import type { FormWrite, FormWriter } from './faultForms.ts';
import type { FaultProxy, SeenRequest } from './faultProxy.ts';
import { tally } from './faultTally.ts';

/** What playing one write needs of the run that it is part of. */
export interface FormRun {
  proxy: FaultProxy;
  writer: FormWriter;
  /** Whether the user tries again once, where the outcome of the first try is unknown. */
  savesAgain: boolean;
  readonly attempt: <T>(call: () => Promise<T>) => Promise<T | ClientError>;
}

/**
 * Makes one write under faults, and holds what the server has of it in the end against what the client said.
 * @returns the claim of each try.
 */
export async function playForm(name: string, write: FormWrite, run: FormRun): Promise<Claim[]> {
  const { proxy, writer, attempt } = run;
  const from = proxy.seen.length;
  const claims: Claim[] = [];
  const failures: string[] = [];
  const send = async () => {
    const outcome = await attempt(() => write.send(writer));
    // Who asked and was told that something may be there has made nothing, and knows nothing new.
    const isDeclined = isOutcome(outcome, 'declined');
    if (outcome instanceof ClientError) failures.push(outcome.message);
    claims.push(isDeclined ? 'not' : claimOf(outcome));
    await proxy.settled();
  };
  try {
    await send();
    const first = claims[0] ?? 'not';
    const isUnknown = first === 'unknown' || first === 'accepted';
    const hasFirst = isUnknown ? (await write.timesDone()) > 0 : first === 'done';
    if (isUnknown && run.savesAgain) await send();
    const times = await write.timesDone();
    const commits = proxy.seen.slice(from).filter((seen) => isCommit(write, seen)).length;
    const last = claims.at(-1);
    const met = proxy.seen
      .slice(from)
      .flatMap(({ endpoint, fault }) => (fault === 'none' ? [] : [`${fault} at ${endpoint}`]));
    const what = `${name}: ${claims.join(', then ')} after ${met.join(', ') || 'no fault'}`;
    // Else a write that never works would pass for one that is told to have failed.
    if (proxy.seen.every(({ fault }) => fault === 'none')) expect(failures, what).toEqual([]);
    expect(times, what).toBeLessThanOrEqual(1);
    // What somebody sets anew is sent anew; nothing is made or deleted twice.
    const mostCommits = write.kind === 'change' ? claims.length : 1;
    expect(commits, `${what}, commits`).toBeLessThanOrEqual(mostCommits);
    if (last === 'done' || last === 'accepted') expect(times, what).toBe(1);
    // A second try that failed leaves what the first may have done.
    if (last === 'not') expect(times, what).toBe(hasFirst ? 1 : 0);
    if (claims.length > 1) tally.again += 1;
    tally.forms.set(name, (tally.forms.get(name) ?? 0) + 1);
    tally.commits += commits;
    tally.states += 1;
    return claims;
  } finally {
    await write.end();
  }
}

function isOutcome(outcome: unknown, kind: string): boolean {
  return typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === kind;
}

/** Whether the server did what it was asked to, whoever got to know. */
function isCommit({ path }: FormWrite, { endpoint, answer, wasSignedIn }: SeenRequest): boolean {
  if (
    endpoint !== path ||
    !answer ||
    !wasSignedIn ||
    answer.status < 200 ||
    answer.status > 299 ||
    answer.status === 204
  )
    return false;
  const { form }: EndpointRow = endpoints[path];
  if (form.kind === 'text') return form.success?.includes(answer.text.replaceAll('"', '')) ?? true;
  if (form.kind === 'number') return form.success === 'any' || Number(answer.text) === form.success;
  const reply: unknown = JSON.parse(answer.text);
  return Array.isArray(reply) || readEnvelope(reply, form.envelope).ok;
}
