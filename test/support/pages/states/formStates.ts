import type { TagTable, TagValuesContract } from '../../../../src/features/tagValues/pageContract.ts';
import type { ImportContract, ImportRowLook, ImportState } from '../../../../src/features/userImport/pageContract.ts';
import type { PageAnswers, PageState, PageStates } from '../scriptedPage.ts';

const row = (id: string, name: string, value: string | null) => ({ id, name, detail: 'login', value });
const table: TagTable = {
  title: 'Values of /#state#/ on Local Server',
  defaultValue: 'CA',
  groups: [row('1', 'North', 'NY'), row('2', 'A group whose name is much too long for a narrow page', null)],
  users: Array.from({ length: 201 }, (_, index) => row(String(index), `user ${index}`, index === 0 ? 'CA' : null)),
};

const tag = (
  more: Partial<TagTable> = {},
  answers: PageAnswers<TagValuesContract> = {},
): PageState<TagValuesContract> => ({
  answers: { ready: () => ({ table: { ...table, ...more }, draft: null }), ...answers },
});
const edited = (answers: PageAnswers<TagValuesContract>, mark: string): PageState<TagValuesContract> => ({
  ...tag({}, answers),
  reach: async (scripted) => {
    await scripted.page.getByRole('textbox', { name: 'North' }).fill('WA');
    await scripted.press('Control+s');
    await scripted.page.locator(mark).first().waitFor();
  },
});

/** All states of the page of a tag's values. */
export const tagValuesStates: PageStates<TagValuesContract> = {
  whole: tag(),
  'no groups': tag({ groups: [], defaultValue: '' }),
  'nothing that matches': {
    ...tag(),
    reach: async ({ page }) => {
      await page.getByRole('searchbox').fill('zzz');
      await page.getByText('No matches.').first().waitFor();
    },
  },
  unsaved: {
    ...tag(),
    reach: async ({ page }) => {
      await page.getByRole('textbox', { name: 'North' }).fill('WA');
      await page.locator('.is-edited').waitFor();
    },
  },
  saving: edited({ save: () => new Promise(() => undefined) }, '.tag[aria-busy="true"]'),
  saved: edited({ save: () => table }, '.tag-summary:not(:empty)'),
  'a save that failed': edited({ save: () => Promise.reject(new Error('The server refused it.')) }, '.tag-fault'),
};

const looks: Record<ImportRowLook, string> = {
  ready: 'Ready',
  invalid: 'Cannot be created',
  working: 'Creating',
  done: 'Created',
  partial: 'Created in part',
  failed: 'Failed',
  idle: 'Not sent',
  undone: 'Deleted by undo',
};
const importRows = (Object.keys(looks) as ImportRowLook[]).map((look, index) => ({
  line: index + 2,
  loginName: `user.${look}`,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  groups: 'North',
  role: 'Flights: Agent',
  look,
  status: looks[look],
  reason: look === 'invalid' ? 'There is no group Nowhere.' : '',
}));
const importing = (more: Partial<ImportState>): PageState<ImportContract> => ({
  answers: {
    ready: () => ({
      state: {
        title: 'users.csv into Local Server',
        summary: '2 to create · 1 cannot be created',
        remark: '',
        fault: '',
        progress: 0,
        isRunning: false,
        importLabel: 'Import 2 Users',
        undoLabel: '',
        troubleCount: 1,
        hasOutcome: true,
        ...more,
      },
      rows: importRows,
    }),
  },
});

/** All states of the page of an import: the compiler misses a look of a row that has none. */
export const importStates: PageStates<ImportContract> = {
  preview: importing({ remark: 'The column Shoe size is ignored.' }),
  running: importing({ isRunning: true, progress: 0.4, importLabel: '' }),
  finished: importing({ importLabel: '', undoLabel: 'Undo: Delete 2 Users…' }),
  failed: importing({ fault: 'The connection was lost.' }),
  'rows with problems': {
    ...importing({}),
    reach: async ({ page }) => {
      await page.getByRole('button', { name: 'Only rows with problems (1)' }).click();
      await page.locator('.import-actions [aria-pressed="true"]').waitFor();
    },
  },
};
