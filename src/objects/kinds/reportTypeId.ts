/** Where a report type is: on a registered server of an application. */
export interface ReportTypePlace {
  readonly regServerId: string;
  readonly moduleId: string;
}

/** Id of a report type as documents know it, which names its place as well: the API reads it by all three. */
export function reportTypeDocumentId({ regServerId, moduleId }: ReportTypePlace, reportTypeId: string): string {
  return [regServerId, moduleId, reportTypeId].join('.');
}
