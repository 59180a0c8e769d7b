import { EventEmitter } from './basics.ts';

/** Where a setting has a value. */
export interface SettingValue {
  defaultValue?: unknown;
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

const values = new Map<string, SettingValue>();
const changed = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();

/** The value that counts in the editor: the most specific one. */
function effective({ defaultValue, globalValue, workspaceValue, workspaceFolderValue }: SettingValue): unknown {
  return workspaceFolderValue ?? workspaceValue ?? globalValue ?? defaultValue;
}

/** Settings, by place. */
export const settings = {
  onDidChange: changed.event,
  set: (key: string, value: SettingValue) => {
    values.set(key, value);
    changed.fire({ affectsConfiguration: (section) => key === section || key.startsWith(`${section}.`) });
  },
  clear: () => values.clear(),
  section: (section: string) => ({
    get: (key: string, other?: unknown) => effective(values.get(`${section}.${key}`) ?? {}) ?? other,
    inspect: (key: string) => ({ key: `${section}.${key}`, ...values.get(`${section}.${key}`) }),
  }),
};
