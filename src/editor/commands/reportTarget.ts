import { isTreeNode } from '../nodes/treeNode.ts';
import type { ReportTarget } from './services.ts';

/** The report that a command was called for: a report's node, or a target passed by another room; else undefined. */
export function reportTargetOf(argument: unknown): ReportTarget | undefined {
  if (isTreeNode(argument)) {
    if (argument.kind !== 'report') return undefined;
    const { connection, item } = argument;
    return { connectionId: connection.id, reportId: item.itemId, name: item.name };
  }
  return isReportTarget(argument) ? argument : undefined;
}

function isReportTarget(value: unknown): value is ReportTarget {
  if (typeof value !== 'object' || value === null) return false;
  const target = value as Partial<Record<keyof ReportTarget, unknown>>;
  return [target.connectionId, target.reportId, target.name].every((field) => typeof field === 'string');
}
