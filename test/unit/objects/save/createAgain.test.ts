import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientError } from '../../../../src/client/clientError.ts';
import { createObject, type CreateRequest } from '../../../../src/objects/save/createObject.ts';
import type { PendingCreate } from '../../../../src/objects/save/pendingCreate.ts';
import { isJsonObject, parseExact, type JsonObject } from '../../../../src/objects/json.ts';
import { dataTagKind } from '../../../../src/objects/kinds/securityKinds.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';
import { parsePendingCreates, keptTextOf } from '../../../../src/features/documents/files/pendingCreates.ts';
import { figure } from '../../../support/run/figure.ts';

let repeats = 0;
/** Saves that went out after the first one, and how many of them the user had asked for. */
let [again, wanted] = [0, 0];

afterEach(() => {
  again += saves - 1;
});
afterAll(() =>
  figure(
    'R2',
    `${repeats} saves after an unknown create: ${again} sent once more, ${wanted} of them as the user asked`,
  ),
);

const template = { ErrorCode: 0, ID: '0', Label: '', DefaultValue: '' };
const view = { ID: '0', Label: 'state', DefaultValue: 'CA' };

/** A server whose first save breaks off; what it saves shows at once, or when `commit` is called. */
let tags: JsonObject[];
let saves: number;
let isLate: boolean;
let late: (() => void) | undefined;
let asked: string[];
let earlier: PendingCreate[];

function readTag(value: unknown): JsonObject {
  const tag = parseExact(JSON.stringify(value));
  return isJsonObject(tag) ? tag : {};
}

const server: ObjectServer = {
  name: 'Test',
  installation: async () => 'one',
  call: async (path, body) => {
    if (path === 'DataTag/NewDataTag') return template;
    if (path === 'DataTag/GetAllDataTags') return tags;
    saves += 1;
    const sent = 'datatag' in body ? readTag(body.datatag) : {};
    const tag = { ...sent, ID: String(6 + saves) };
    const commit = () => void tags.push(tag);
    if (saves > 1) {
      commit();
      return { ...tag, ErrorMessage: 'Its default holds for all.' };
    }
    if (isLate) late = commit;
    throw new ClientError('unreachable', 'The connection was lost.', { server: 'Test', endpoint: path });
  },
};

const create = async (more: Partial<CreateRequest> = {}) => {
  if (earlier.length > 0) repeats += 1;
  return createObject(server, {
    kind: dataTagKind,
    view,
    askSecret: async () => '',
    pauses: [0],
    earlier,
    onUnknown: (unknown) => void (earlier = [...earlier, unknown]),
    askToRepeat: async (trace) => {
      asked.push(trace);
      return false;
    },
    ...more,
  });
};

beforeEach(async () => {
  [tags, saves, isLate, late, asked, earlier] = [[{ ...view, ID: '3' }], 0, true, undefined, [], []];
  await expect(create()).rejects.toMatchObject({ kind: 'unknownOutcome' });
  expect(earlier).toEqual([{ view, known: ['3'] }]);
});

describe('a save after one whose outcome is not known', () => {
  it('takes the object that came late for its own, and sends nothing', async () => {
    late?.();
    await expect(create()).resolves.toEqual({ kind: 'created', id: '7', view, notTaken: [] });
    expect({ saves, asked }).toEqual({ saves: 1, asked: [] });
  });

  it('tells by what the object was created where the text is another by now', async () => {
    late?.();
    const edited = { ...view, DefaultValue: 'NV' };
    await expect(create({ view: edited })).resolves.toEqual({ kind: 'created', id: '7', view, notTaken: [] });
    expect(saves).toBe(1);
  });

  it('asks where nothing shows, and sends it once more only if told to', async () => {
    await expect(create()).resolves.toEqual({ kind: 'declined' });
    await expect(create({ askToRepeat: undefined })).resolves.toEqual({ kind: 'declined' });
    expect(saves).toBe(1);
    await expect(create({ askToRepeat: async () => ++wanted > 0 })).resolves.toEqual({
      kind: 'created',
      id: '8',
      notTaken: [],
      notice: 'Its default holds for all.',
    });
    expect({ saves, asked }).toEqual({ saves: 2, asked: ['nothing'] });
  });

  it('asks where a new object has the name, and another content', async () => {
    tags.push({ ...view, ID: '9', DefaultValue: 'TX' });
    await expect(create()).resolves.toEqual({ kind: 'declined' });
    late?.();
    // Now there are two: which is whose cannot be told.
    await expect(create()).resolves.toEqual({ kind: 'declined' });
    expect({ saves, asked }).toEqual({ saves: 1, asked: ['similar', 'similar'] });
  });

  it('finds it in the next window as well', async () => {
    earlier = parsePendingCreates(keptTextOf(earlier));
    late?.();
    await expect(create()).resolves.toMatchObject({ kind: 'created', id: '7' });
    expect(parsePendingCreates('{}')).toEqual([]);
  });
});

describe('an entry of a list that tells of a failure', () => {
  it('is not taken for the object: saving it would lose what it leaves out', async () => {
    tags = [{ ...view, ID: '3', ErrorCode: 9001, ErrorMessage: 'values unavailable', SecurityGroups: [] }];
    await expect(dataTagKind.read(server, '3')).rejects.toMatchObject({ kind: 'refused', code: 9001 });
  });
});
