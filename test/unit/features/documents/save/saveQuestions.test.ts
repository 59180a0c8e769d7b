import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientError } from '../../../../../src/client/clientError.ts';
import { openStubDocument } from '../../../../support/documents/stubDocuments.ts';
import { documents } from '../../../../support/vscode/documents.ts';
import { TextDocumentSaveReason } from '../../../../support/vscode/textDocument.ts';
import { ran } from '../../../../support/vscode/index.ts';
import { dismiss, person } from '../../../../support/vscode/person.ts';

/** On a busy machine, what follows by itself takes its time. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });

type Scene = Awaited<ReturnType<typeof openStubDocument>>;
let scene: Scene;

beforeEach(async () => {
  scene = await openStubDocument('policy');
});

afterEach(() => {
  scene.close();
  ran.length = 0;
  person.leave();
});

/** Opens the document of another object instead. */
async function open(...given: Parameters<typeof openStubDocument>): Promise<Scene> {
  scene.close();
  scene = await openStubDocument(...given);
  return scene;
}

const type = (find: string, replacement: string) => documents.type(scene.document, find, replacement);
const conflict = 'Nothing was sent, because policy "Tenants" changed on Test in the same fields';

/** Waits until the question about a conflict is answered and what follows has ended. */
async function saveAndDecide(): Promise<void> {
  await scene.document.save();
  await soon(() => person.texts('message').some((text) => text.startsWith(conflict))).toBe(true);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  await documents.settled();
}

describe('a save', () => {
  it('merges what others changed, without a question, and shows the result', async () => {
    scene.stub.change('"Description":"West"', '"Description":"East"');
    type('"Tenants"', '"Renters"');
    expect(await scene.document.save()).toBe(true);
    expect(scene.stub.saves).toMatchObject([{ Name: 'Renters', Description: 'East' }]);
    expect(JSON.parse(scene.document.getText())).toMatchObject({ Name: 'Renters', Description: 'East' });
    expect(scene.document.isDirty).toBe(false);
    expect(person.texts('status')).toEqual([expect.stringContaining('merged 1 change')]);
  });

  it('sends nothing by auto-save, which leaves the next save to the user', async () => {
    type('"Tenants"', '"Renters"');
    expect(await scene.document.save(TextDocumentSaveReason.AfterDelay)).toBe(false);
    expect(scene.stub.saves).toEqual([]);
    expect(person.texts('message')).toEqual([expect.stringContaining('Auto Save never sends changes to a server')]);
    expect(await scene.document.save()).toBe(true);
    expect(scene.stub.saves).toHaveLength(1);
  });

  it('is asked for once: a write that follows by itself is not sent', async () => {
    type('"Tenants"', '"Renters"');
    await scene.document.save();
    const bytes = Buffer.from(scene.document.getText().replace('Renters', 'Owners'));
    await expect(scene.files.writeFile(scene.document.uri as never, bytes)).rejects.toThrow(
      'only when you choose Save',
    );
    expect(scene.stub.saves).toHaveLength(1);
  });

  it('does not take an auto-save after Ctrl+S was refused for one that was asked for', async () => {
    type('"Tenants"', '"Tenants');
    expect(await scene.document.save()).toBe(false);
    type('"Tenants', '"Tenants!"');
    expect(await scene.document.save(TextDocumentSaveReason.FocusOut)).toBe(false);
    expect(scene.stub.saves).toEqual([]);
  });

  it('marks what is no JSON where it breaks, and removes the mark once it is saved', async () => {
    type('"Tenants"', '"Renters');
    expect(await scene.document.save()).toBe(false);
    expect(scene.problems()).toEqual([expect.stringMatching(/Invalid JSON at line \d+.*Nothing was sent/)]);
    type('"Renters', '"Renters"');
    expect(await scene.document.save()).toBe(true);
    expect(scene.problems()).toEqual([]);
  });

  it('compares what was typed while it ran with what it sent', async () => {
    const { stub } = scene;
    scene.answerWith({
      name: stub.name,
      installation: () => stub.installation(),
      call: async (path, body) => {
        if (stub.saves.length === 0 && path.includes('Save')) type('"West"', '"North"');
        return stub.call(path, body);
      },
    });
    type('"Tenants"', '"Renters"');
    await scene.document.save();
    expect(scene.document.isDirty).toBe(true);
    stub.change('"Renters"', '"Lodgers"');
    expect(await scene.document.save()).toBe(true);
    expect(stub.saves).toMatchObject([
      { Name: 'Renters', Description: 'West' },
      { Name: 'Lodgers', Description: 'North' },
    ]);
  });

  it('refuses changes of what the server sets itself', async () => {
    type('"id": "7"', '"id": "8"');
    expect(await scene.document.save()).toBe(false);
    expect(scene.problems()).toEqual([expect.stringContaining('The server sets these fields itself')]);
    expect(scene.stub.saves).toEqual([]);
  });
});

describe('a change that opens data', () => {
  const active = (stub: Scene['stub']) => {
    stub.change('"isActive":false', '"isActive":true');
    stub.change('"Groups":[]', '"Groups":[{"GroupId":"1","GroupName":"North"}]');
  };
  const question = 'Save "Tenants" on Test? This changes who has access, or what users see.';

  beforeEach(async () => {
    await open('policy', active);
  });

  it('is sent after a question that shows the value before and now', async () => {
    type('"isActive": true', '"isActive": false');
    person.answers(question, 'Save');
    expect(await scene.document.save()).toBe(true);
    expect(person.texts('message')[0]).toContain('isActive: true → false');
    expect(scene.stub.saves).toMatchObject([{ isActive: false, Groups: [{ GroupId: '1' }] }]);
  });

  it('is not sent when the question is declined; the text stays', async () => {
    type('"isActive": true', '"isActive": false');
    person.answers(question, dismiss);
    expect(await scene.document.save()).toBe(false);
    expect(scene.stub.saves).toEqual([]);
    expect(scene.document.isDirty).toBe(true);
    expect(scene.document.getText()).toContain('"isActive": false');
    expect(scene.problems()).toEqual([expect.stringContaining('not confirmed. Nothing was sent')]);
  });

  it('is asked about again by the next save', async () => {
    type('"isActive": true', '"isActive": false');
    person.answers(question, dismiss).answers(question, 'Save');
    await scene.document.save();
    expect(await scene.document.save()).toBe(true);
    expect(scene.stub.saves).toHaveLength(1);
  });

  it('is also a list of groups that becomes empty', async () => {
    documents.type(scene.document, /"Groups": \[[^\]]*\]/.exec(scene.document.getText())?.[0] ?? '?', '"Groups": []');
    person.answers(question, dismiss);
    expect(await scene.document.save()).toBe(false);
    expect(person.texts('message')[0]).toContain('Groups: [{');
    expect(scene.stub.saves).toEqual([]);
  });

  it('is nothing that restricts more, or that only renames', async () => {
    await open('policy');
    type('"isActive": false', '"isActive": true');
    type('"Tenants"', '"Renters"');
    expect(await scene.document.save()).toBe(true);
    expect(scene.stub.saves).toMatchObject([{ isActive: true, Name: 'Renters' }]);
  });

  it('is confirmed once, after a conflict is resolved', async () => {
    scene.stub.change('"Description":"West"', '"Description":"East"');
    type('"isActive": true', '"isActive": false');
    type('"West"', '"North"');
    person.answers(conflict, 'Keep Mine').answers(question, 'Save');
    await saveAndDecide();
    expect(scene.stub.saves).toMatchObject([{ isActive: false, Description: 'North' }]);
    expect(scene.document.isDirty).toBe(false);
  });

  it('is asked about after a conflict if it was typed while that was shown', async () => {
    scene.stub.change('"Description":"West"', '"Description":"East"');
    type('"West"', '"North"');
    person
      .answers(conflict, () => {
        type('"isActive": true', '"isActive": false');
        return 'Keep Mine';
      })
      .answers(question, dismiss);
    await saveAndDecide();
    expect(scene.stub.saves).toEqual([]);
    expect(scene.document.isDirty).toBe(true);
  });
});

it('asks about the value of a setting that is sent, not about one from before a conflict', async () => {
  await open('settings', (stub) => stub.change('"SSOHeader"', '"SSOEnabled":"False","SSOHeader"'));
  scene.stub.change('"MaxRecords":5000', '"MaxRecords":6000');
  type('"False"', '"True"');
  type('5000', '7000');
  person
    .answers('changed on Test in the same fields', () => {
      type('"True"', '"Perhaps"');
      return 'Keep Mine';
    })
    .answers('This changes who has access', dismiss);
  await scene.document.save();
  await soon(() => person.texts('message').some((text) => text.includes('"False" → "Perhaps"'))).toBe(true);
  expect(scene.stub.saves).toEqual([]);
});

describe('a conflict', () => {
  beforeEach(() => {
    scene.stub.change('"Description":"West"', '"Description":"East"');
    type('"West"', '"North"');
  });

  it('keeps mine when the user says so', async () => {
    person.answers(conflict, 'Keep Mine');
    await saveAndDecide();
    expect(scene.stub.saves).toMatchObject([{ Description: 'North' }]);
    expect(scene.document.isDirty).toBe(false);
    expect(documents.diffs()).toBe(0);
  });

  it('keeps theirs, and shows them', async () => {
    person.answers(conflict, 'Keep Theirs');
    await saveAndDecide();
    expect(scene.stub.saves).toEqual([]);
    expect(scene.document.getText()).toContain('"East"');
    expect(scene.document.isDirty).toBe(false);
  });

  it('sends nothing and loses nothing when it stays open', async () => {
    person.answers(conflict, dismiss);
    await saveAndDecide();
    expect(scene.stub.saves).toEqual([]);
    expect(scene.document.isDirty).toBe(true);
    expect(scene.document.getText()).toContain('"North"');
    expect(documents.diffs()).toBe(1);
  });

  it('is asked about again when the server changes while it is shown', async () => {
    person
      .answers(conflict, () => {
        scene.stub.change('"Description":"East"', '"Description":"South"');
        return 'Keep Mine';
      })
      .answers(conflict, dismiss);
    await saveAndDecide();
    await soon(() => person.texts('message').filter((text) => text.startsWith(conflict)).length).toBe(2);
    expect(scene.stub.saves).toEqual([]);
  });

  it('offers a choice per field only for several fields, and sends what was chosen', async () => {
    scene.stub.change('"Name":"Tenants"', '"Name":"Lodgers"');
    type('"Tenants"', '"Renters"');
    person.answers(conflict, 'Choose per Field…').answers('Select the fields', ['Name']);
    await saveAndDecide();
    expect(scene.stub.saves).toMatchObject([{ Name: 'Renters', Description: 'East' }]);
  });

  it('sends nothing if the choice per field is dismissed', async () => {
    scene.stub.change('"Name":"Tenants"', '"Name":"Lodgers"');
    type('"Tenants"', '"Renters"');
    person.answers(conflict, 'Choose per Field…').answers('Select the fields', dismiss);
    await saveAndDecide();
    expect(scene.stub.saves).toEqual([]);
  });

  it('does not apply its answer to fields that were no conflict', async () => {
    person.answers(conflict, () => {
      type('"Tenants"', '"Renters"');
      return 'Keep Theirs';
    });
    await saveAndDecide();
    expect(scene.stub.saves).toMatchObject([{ Name: 'Renters', Description: 'East' }]);
  });

  it('does not apply its answer to a field that became a conflict while it was shown', async () => {
    scene.stub.change('"Name":"Tenants"', '"Name":"Lodgers"');
    person
      .answers(`${conflict}: Description`, () => {
        type('"Tenants"', '"Renters"');
        return 'Keep Mine';
      })
      .answers(`${conflict}: Name`, dismiss);
    await saveAndDecide();
    await soon(() => person.texts('message').filter((text) => text.startsWith(conflict)).length).toBe(2);
    expect(scene.stub.saves).toEqual([]);
  });

  it('has no choice per field for one field', async () => {
    person.answers(conflict, dismiss);
    await saveAndDecide();
    expect(person.shown.find(({ text }) => text.startsWith(conflict))?.choices).toEqual(['Keep Mine', 'Keep Theirs']);
  });

  it('is explained once in messages, and in the document until that is saved', async () => {
    person.answers(conflict, dismiss);
    await saveAndDecide();
    const messages = person.texts('message').join('\n');
    expect(messages.match(/changed on|Description/g)).toHaveLength(2);
    expect(messages).toContain('Choose which version to keep. Could not save policy "Tenants" on Test.');
    expect(scene.problems()).toEqual([expect.stringMatching(/changed on the server in the meantime: Description\./)]);
  });
});

describe('a save that needs a password', () => {
  beforeEach(async () => {
    await open('server');
    type('"West"', '"North"');
  });

  it('asks for it, sends it, and leaves it nowhere', async () => {
    person.answers('Database password of', 'pass 1');
    expect(await scene.document.save()).toBe(true);
    expect(scene.stub.saves).toMatchObject([{ DisplayName: 'North', DatabasePassword: 'pass 1' }]);
    expect(scene.document.getText()).not.toContain('DatabasePassword');
    const kept = scene.state.keys().map((key) => JSON.stringify(scene.state.get(key)));
    expect([...kept, ...person.texts()].join()).not.toContain('pass 1');
  });

  it('is not sent without it', async () => {
    person.answers('Database password of', dismiss);
    expect(await scene.document.save()).toBe(false);
    expect(scene.stub.saves).toEqual([]);
    expect(scene.problems()).toEqual([expect.stringContaining('requires the password. Nothing was sent')]);
    expect(scene.document.isDirty).toBe(true);
  });

  it('is refused when the password is in the text', async () => {
    type('{', '{ "DatabasePassword": "pass 1",');
    expect(await scene.document.save()).toBe(false);
    expect(scene.problems()).toEqual([expect.stringContaining('Remove DatabasePassword from the text')]);
    expect(scene.stub.saves).toEqual([]);
  });
});

describe('the state of the last save', () => {
  it('is only that it failed: an earlier success leaves the status bar', async () => {
    scene.stub.change('"Description":"West"', '"Description":"East"');
    type('"Tenants"', '"Renters"');
    await scene.document.save();
    expect(person.status).toContain('merged 1 change');
    type('"Renters"', '"Owners');
    expect(await scene.document.save()).toBe(false);
    expect(person.status).toBe('');
  });

  it('is only what the server did not take', async () => {
    const { stub } = scene;
    scene.answerWith({
      name: stub.name,
      installation: () => stub.installation(),
      call: async (path, body) => {
        const reply = await stub.call(path, body);
        if (path.includes('Save')) stub.change('"Description":"North"', '"Description":"West"');
        return reply;
      },
    });
    type('"West"', '"North"');
    await scene.document.save();
    expect(person.texts('message')).toEqual(['Test accepted the save but did not change Description.']);
    expect(person.texts('status')).toEqual([]);
  });
});

describe('a save that fails', () => {
  /** Saves on a server that refuses every write with this error. */
  async function saveRefused(error: ClientError): Promise<void> {
    const { stub } = scene;
    scene.answerWith({
      name: stub.name,
      installation: () => stub.installation(),
      call: async (path, body) => {
        if (path.includes('Save')) throw error;
        return stub.call(path, body);
      },
    });
    type('"Tenants"', '"Renters"');
    expect(await scene.document.save()).toBe(false);
    expect(scene.document.isDirty).toBe(true);
  }

  it('offers to sign in when the session has ended', async () => {
    person.answers('The changes to policy "Tenants" are kept. Sign in to Test', 'Sign In…');
    await saveRefused(new ClientError('notSignedIn', 'Not signed in.', { server: 'Test' }));
    await soon(() => ran).toContainEqual(['analytics.server.signIn', { connectionId: 'shop' }]);
  });

  it('offers to compare when the outcome is unknown', async () => {
    person.answers('Compare policy "Tenants" with Test before you save again.', 'Compare with Server');
    await saveRefused(new ClientError('unknownOutcome', 'No reply.', { server: 'Test' }));
    await soon(() => ran).toContainEqual(['analytics.object.compareWithServer', scene.document.uri]);
    // The editor says why, and the offer only what to do.
    expect(person.texts('message').filter((text) => /unknown|No reply/.test(text))).toHaveLength(1);
  });

  it('asks nothing when the text can be corrected', async () => {
    await saveRefused(new ClientError('refused', 'Name is too long.', { server: 'Test', code: 7 }));
    expect(scene.problems()).toEqual([expect.stringContaining('Name is too long.')]);
  });
});
