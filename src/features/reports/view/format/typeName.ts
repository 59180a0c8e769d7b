import * as vscode from 'vscode';
import type { ResultColumn } from '../../../../client/results/resultColumn.ts';
import { isFieldTypeCode } from '../../../../contract/fieldTypes.ts';
import type { FieldTypeCode } from '../../../../contract/fieldTypes.ts';

/** What a column holds, in words: by the code of its field type, or as the server calls it. */
export function typeName({ fieldType, dataType }: Pick<ResultColumn, 'fieldType' | 'dataType'>): string {
  return isFieldTypeCode(fieldType) ? fieldTypeName(fieldType) : (dataType ?? vscode.l10n.t('text'));
}

function fieldTypeName(code: FieldTypeCode): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const names: Record<FieldTypeCode, string> = {
    cha: vscode.l10n.t('text'),
    num: vscode.l10n.t('number'),
    dat: vscode.l10n.t('date and time, shown in {0}', zone),
    dtz: vscode.l10n.t('date and time, as stored'),
    doz: vscode.l10n.t('date, as stored'),
    udt: vscode.l10n.t('Unix time, shown in {0}', zone),
    tsp: vscode.l10n.t('timestamp, as stored'),
    ddn: vscode.l10n.t('drill-down'),
    lnk: vscode.l10n.t('link'),
    flk: vscode.l10n.t('file'),
    for: vscode.l10n.t('formula'),
    cur: vscode.l10n.t('currency'),
    per: vscode.l10n.t('percentage'),
  };
  return names[code];
}
