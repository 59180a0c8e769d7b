/** A way to show a report's result. */
export interface OutputTypeInfo {
  id: number;
  name: string;
  uiclass: string;
}

/**
 * Output types, as used in `OutputType` and `itemtype`; id 5 does not exist. API description, Output types. @l10n name
 */
export const outputTypes: readonly OutputTypeInfo[] = [
  { id: 0, name: 'Data grid', uiclass: 'datagrid' },
  { id: 1, name: 'DataGrid', uiclass: 'datagrid' },
  { id: 2, name: 'Chart', uiclass: 'chart' },
  { id: 3, name: 'KPI text', uiclass: 'kpi_metric' },
  { id: 4, name: 'KPI gauge', uiclass: 'kpi_gauge' },
  { id: 6, name: 'Pie chart', uiclass: 'pie-chart' },
  { id: 7, name: 'Combo chart', uiclass: 'combochart' },
  { id: 8, name: 'Pivot grid', uiclass: 'pivotgrid' },
  { id: 9, name: 'Tree map', uiclass: 'treemap' },
  { id: 10, name: 'Vector map', uiclass: 'vectormap' },
  { id: 11, name: 'Skyline', uiclass: 'skyline' },
  { id: 12, name: 'Aggregate grid', uiclass: 'datagrid2' },
  { id: 13, name: 'Advanced pivot grid', uiclass: 'pivotgrid2' },
  { id: 14, name: 'Chart v2', uiclass: 'chart2' },
];

/** The `itemtype` of a dashboard in a library listing. */
export const dashboardItemType = 0;
