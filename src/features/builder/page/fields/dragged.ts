/** What is being dragged: entries of the field tree, or a field of the report. */
export type Dragged = { kind: 'entries'; entries: number[] } | { kind: 'field'; field: number };

const type = 'application/x-analytics-builder';

/** Marks what a drag carries. Other pages and windows can do nothing with it. */
export function startDrag(event: DragEvent, dragged: Dragged): void {
  event.dataTransfer?.setData(type, JSON.stringify(dragged));
  if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = 'copyMove';
}

/** Whether a drag carries something of this page. */
export function isOwnDrag(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes(type) === true;
}

/** What was dropped; undefined when it came from elsewhere. */
export function droppedOf(event: DragEvent): Dragged | undefined {
  const text = event.dataTransfer?.getData(type) ?? '';
  if (text === '') return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  if (value.kind === 'field' && 'field' in value && typeof value.field === 'number') {
    return { kind: 'field', field: value.field };
  }
  if (value.kind === 'entries' && 'entries' in value && Array.isArray(value.entries)) {
    return { kind: 'entries', entries: value.entries.filter((entry) => typeof entry === 'number') };
  }
  return undefined;
}
