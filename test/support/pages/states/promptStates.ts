import type {
  PromptField,
  PromptForm,
  PromptInput,
  PromptMode,
  PromptValue,
} from '../../../../src/contract/pages/promptForm.ts';
import type { ResultsContract } from '../../../../src/contract/pages/resultsPage.ts';
import type { PageAnswers, PageState } from '../scriptedPage.ts';

const value = (more: Partial<PromptValue> = {}): PromptValue => ({
  low: '',
  high: '',
  list: [],
  isSkipped: false,
  ...more,
});

/** One of every way to compare. */
const modes: Record<PromptMode, PromptValue> = {
  equals: value({ low: 'CA' }),
  between: value({ low: '1', high: '9' }),
  inList: value({ list: ['Some Carrier', 'Another Carrier with a long name'] }),
  like: value({ low: '%A%' }),
  greaterThan: value(),
  lessThan: value(),
  none: value({ isSkipped: true }),
};
/** One of every control. */
const inputs: Record<PromptInput, PromptValue> = {
  text: value({ low: 'CA' }),
  number: value({ low: '12' }),
  date: value({
    low: '2024-01-31',
    relative: [{ expression: '[Yesterday]', label: 'Yesterday', low: '2024-01-31', high: '2024-01-31' }],
  }),
  datetime: value({ low: '2024-01-31 10:00:00' }),
};

const field = (label: string, more: Partial<PromptField> = {}): PromptField => ({
  label,
  help: 'Rows with this value.',
  mode: 'equals',
  input: 'text',
  isSkipable: false,
  hasChoices: true,
  ...more,
});

const asked = [
  ...(Object.keys(modes) as PromptMode[]).map((mode) => ({
    field: field(`By ${mode}`, { mode, isSkipable: mode === 'none' }),
    value: modes[mode],
  })),
  ...(Object.keys(inputs) as PromptInput[]).map((input) => ({
    field: field(`As ${input}`, { input }),
    value: inputs[input],
  })),
  { field: field('Dates', { mode: 'inList', input: 'date' }), value: value({ list: ['2024-01-31'] }) },
];

const form: PromptForm = {
  number: 1,
  fields: asked.map((each) => each.field),
  values: asked.map((each) => each.value),
  problems: [{ index: 4, part: 'low', message: 'Enter a value.' }],
  presets: ['Last year'],
};

const choices = {
  choices: [
    { value: 'CA', label: 'California' },
    { value: '[Yesterday]', label: 'Yesterday', dates: { low: '2024-01-31', high: '2024-01-31' }, isRelative: true },
    { value: '[Last Month]', label: 'Last Month', dates: { low: '2023-12-01', high: '2023-12-31' }, isRelative: true },
  ],
  notice: 'Only the first 3 values are listed.',
};

function asking(more: PageAnswers<ResultsContract> = {}): PageState<ResultsContract> {
  return {
    answers: {
      ready: () => ({
        state: {
          reportId: '1',
          title: 'Find Bird Strikes',
          trail: ['Find Bird Strikes'],
          server: 'Local Server',
          user: 'admin',
          hasPrompts: true,
          output: null,
          isTable: true,
          chips: [],
          phase: { kind: 'asking' },
        },
        grid: null,
        form,
        keepsake: undefined,
      }),
      promptChoices: () => choices,
      choosePreset: () => form.values,
      ...more,
    },
  };
}

/** The form, for a page that shows it beside its rows. */
export const promptForm = form;

/** The form for values, with one of every kind of prompt, and the lists that it opens. */
export const promptStates = {
  form: asking(),
  'a list of values': {
    ...asking(),
    reach: async (scripted) => {
      await scripted.page.getByRole('combobox', { name: 'By equals', exact: true }).fill('C');
      await scripted.page.locator('.choice').first().waitFor();
      await scripted.press('ArrowDown');
      await scripted.page.locator('.choice.is-active').waitFor();
    },
  },
  'values that are loading': {
    ...asking({ promptChoices: () => new Promise(() => undefined) }),
    reach: async (scripted) => {
      await scripted.page.getByRole('combobox', { name: 'By equals' }).focus();
      await scripted.press('ArrowDown');
      await scripted.page.locator('.choices-notice').waitFor();
    },
  },
  'relative dates': {
    ...asking(),
    reach: async (scripted) => {
      await scripted.page.getByRole('combobox', { name: 'As date: Relative' }).focus();
      await scripted.press('ArrowDown');
      await scripted.page.locator('.choice.is-chosen').waitFor();
      await scripted.press('ArrowDown');
      await scripted.page.locator('.choice.is-active').waitFor();
    },
  },
  'saved values': {
    ...asking(),
    reach: async ({ page }) => {
      await page.getByRole('combobox', { name: 'Saved values' }).selectOption('Last year');
      await page.getByRole('button', { name: 'Delete These Values…' }).waitFor();
    },
  },
} satisfies Record<string, PageState<ResultsContract>>;
