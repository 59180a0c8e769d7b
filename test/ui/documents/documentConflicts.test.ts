import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { closeEditors } from '../../support/workbench/sharedWorkbench.ts';
import { waitFor } from '../../support/waitFor.ts';

/** Where a conflict happens: two text fields of an object, with or without a time of its own. */
interface Place {
  /** Whether the object says when it was changed: a change then shows as newer. */
  isNewer: boolean;
  file: string;
  first: string;
  second: string;
  open: () => Promise<void>;
  change: (fields: object) => Promise<void>;
  read: () => Promise<Record<string, unknown>>;
}

describe('a document that somebody else changed meanwhile', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene('light', async (colleague) => {
      await colleague.newTag('territory', {});
    });
    const { workbench } = scene;
    await workbench.expand('Security');
    await workbench.expand('Data Tags');
    await workbench.collapse('Library');
    await workbench.expand('Administration');
  });
  afterEach(() => closeEditors(scene.workbench));
  afterAll(() => scene.stop());

  const places: Record<'tag' | 'settings', Place> = {
    tag: {
      isNewer: true,
      file: 'territory.tag.json',
      first: 'DefaultValue',
      second: 'TagGroup',
      open: () => scene.workbench.openRow('territory'),
      change: (fields) => scene.colleague.changeTag('territory', fields),
      read: () => scene.colleague.tag('territory'),
    },
    settings: {
      isNewer: false,
      file: 'Instance Settings.settings.json',
      first: 'SSOHeader',
      second: 'mfa_redirect',
      open: () => scene.workbench.treeAction('Instance Settings', 'Edit as JSON'),
      change: (fields) => scene.colleague.changeSettings(fields),
      read: () => scene.colleague.settings(),
    },
  };
  const answers = {
    mine: { button: 'Keep Mine', first: 'mine', second: 'mine' },
    theirs: { button: 'Keep Theirs', first: 'theirs', second: 'theirs' },
    'each field by itself': { button: 'Choose per Field…', first: 'mine', second: 'theirs' },
  } as const;
  const cases = [
    { place: 'tag', length: 'equal', answer: 'mine' },
    { place: 'settings', length: 'other', answer: 'theirs' },
    { place: 'tag', length: 'other', answer: 'each field by itself' },
  ] as const;

  it.each(cases)('is kept for $answer: a $place changed to $length length', async ({ place, length, answer }) => {
    const { workbench, editor } = scene;
    const { first, second, file, open, change, read } = places[place];
    const theirs = length === 'equal' ? 'Hill' : 'Somewhere in the hills';
    const { button, ...sides } = answers[answer];
    await change({ [first]: 'West', [second]: 'Flat' });
    await open();
    await editor.shows(`"${first}": "West"`);
    await editor.replace(`"${first}": "West"`, `"${first}": "Mine"`);
    await editor.replace(`"${second}": "Flat"`, `"${second}": "Mine"`);
    await change({ [first]: theirs, [second]: theirs });
    await editor.save();
    const question = workbench.notification('in the same fields');
    await question.waitFor();
    // Nothing was sent, and what the server holds stands beside the text.
    expect(await read()).toMatchObject({ [first]: theirs, [second]: theirs });
    await workbench.tab(`${file}: ${scene.host} ↔ yours`).waitFor();
    if (answer === 'mine') await workbench.screenshot(`conflict-${place}-${length}`);
    await workbench.pressAway(question.getByRole('button', { name: button }));
    if (answer === 'each field by itself') await chooseMine(first);
    await editor.isDirty(file, false);
    const held = (side: 'mine' | 'theirs') => (side === 'mine' ? 'Mine' : theirs);
    expect(await read()).toMatchObject({ [first]: held(sides.first), [second]: held(sides.second) });
    await editor.shows(`"${second}": "${held(sides.second)}"`);
    await waitFor('the comparison to close', async () => (await workbench.tab('↔ yours').count()) === 0);
  });

  it('conflicts again when the server changes between the question and the answer', async () => {
    const { workbench, editor } = scene;
    const { change, read, open, file } = places.tag;
    await change({ DefaultValue: 'West' });
    await open();
    await editor.shows('"DefaultValue": "West"');
    await editor.replace('"DefaultValue": "West"', '"DefaultValue": "Mine"');
    await change({ DefaultValue: 'Hill' });
    await editor.save();
    const question = workbench.notification('in the same fields');
    const asked = await question.innerText();
    expect(asked).toMatch(/The server was read at .*\d/);
    await change({ DefaultValue: 'Dale' });
    const [readAt = ''] = /read at .*\d/.exec(asked) ?? [];
    // The questions differ in the second that they name.
    const answerFrom = Date.now() + 1_000;
    await waitFor('the clock to show another second', async () => Date.now() > answerFrom);
    await workbench.pressAway(question.filter({ hasText: readAt }).getByRole('button', { name: 'Keep Mine' }));
    await workbench.tab(`${file}: ${scene.host} ↔ yours`).waitFor();
    // The answered one is gone: what asks now is another.
    await waitFor('the second question', async () => {
      const texts = await question.allInnerTexts();
      return texts.length === 1 && texts[0] !== asked;
    });
    expect(await read()).toMatchObject({ DefaultValue: 'Dale' });
    await workbench.pressAway(question.getByRole('button', { name: 'Keep Mine' }));
    await editor.isDirty(file, false);
    expect(await read()).toMatchObject({ DefaultValue: 'Mine' });
  });

  it('is joined with a change of another field, and says so in one line', async () => {
    const { workbench, editor } = scene;
    const { change, read, open, file } = places.tag;
    await change({ DefaultValue: 'West', TagGroup: 'Flat' });
    await open();
    await editor.shows('"DefaultValue": "West"');
    await editor.replace('"DefaultValue": "West"', '"DefaultValue": "Mine"');
    await change({ TagGroup: 'Hill' });
    await editor.save();
    await editor.isDirty(file, false);
    await workbench.page.locator('.statusbar-item', { hasText: 'merged 1 change' }).waitFor();
    await editor.shows('"TagGroup": "Hill"');
    expect(await read()).toMatchObject({ DefaultValue: 'Mine', TagGroup: 'Hill' });
  });

  async function chooseMine(field: string): Promise<void> {
    const widget = scene.workbench.page.locator('.quick-input-widget:visible');
    await widget.getByText('Select the fields in which to keep your change').waitFor();
    await scene.workbench.screenshot('conflict-per-field');
    await widget
      .locator('.monaco-list-row', { hasText: field })
      .first()
      .locator('.monaco-checkbox, input')
      .first()
      .click();
    await scene.workbench.pressAway(widget.getByRole('button', { name: 'OK' }));
  }
});
