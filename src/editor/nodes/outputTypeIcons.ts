/** Codicon of each output type (`itemtype` of a library item); 0 is a dashboard. API description, Output types. */
const icons: Readonly<Record<number, string>> = {
  0: 'dashboard',
  1: 'table',
  2: 'graph',
  3: 'symbol-numeric',
  4: 'pulse',
  6: 'pie-chart',
  7: 'graph-scatter',
  8: 'list-tree',
  9: 'layout',
  10: 'globe',
  11: 'graph-left',
  12: 'group-by-ref-type',
  13: 'type-hierarchy-sub',
  14: 'graph-line',
};

/** Codicon of an output type; types that this release does not know look like a grid. */
export function outputTypeIcon(outputType: number): string {
  return icons[outputType] ?? 'table';
}
