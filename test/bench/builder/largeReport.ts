/** Reply of GetReportTree for a report type of 5,000 fields in 50 folders. */
export function largeTree(): object {
  const folders = Array.from({ length: 50 }, (_, folder) => ({
    id: folder,
    text: `Folder ${folder}`,
    type: 'Folder',
    children: Array.from({ length: 100 }, (__, field) => leaf(folder, field)),
  }));
  return { rootnode: { id: 0, text: 'Large type', type: 'Folder', children: folders } };
}

function leaf(folder: number, field: number) {
  return {
    id: folder * 100 + field,
    text: `Field ${folder}-${field} of the type`,
    type: 'Field',
    Tag: null,
    children: [],
    dbfieldname: `column_${folder}_${field}`,
    dbtablealias: `table_${folder % 40}`,
    dbparenttablealias: 'root',
    fieldtype: field % 3 === 0 ? 'num' : 'cha',
    ReportFieldName: `Field ${folder}-${field} of the type`,
  };
}

/** A report of 100 fields, each with a criterion. */
export function largeReport(): object {
  return {
    Reportname: 'Large',
    FieldList: Array.from({ length: 100 }, (_, index) => ({
      ...{ fieldindex: index + 1, DbParentTableAlias: 't', DbTableAlias: 't', DbFieldName: `column_${index}` },
      ...{ DisplayFieldName: `Field${index}`, ReportFieldName: `Field${index}`, RenamedField: `field_${index}` },
      ...{ Fieldtype: 'cha', SearchCriteria: '', strGroup: '', Formula: '', tbl5: '', grouped: 0 },
      Criteria: [{ Index: 1, Field: `Field${index}`, Op: '=', Value1: 'x', Value2: '', Logical: 'AND', Nested: false }],
    })),
    Permissions: [],
    AdHocFields: [],
    linkreports: [],
    FormLayout: [],
  };
}
