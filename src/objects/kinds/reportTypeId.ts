/** Location of a report type: a registered server of an application. */
export interface ReportTypePlace {
  readonly regServerId: string;
  readonly moduleId: string;
}

/** Document id of a report type, which includes its location: the API reads it by all three ids. */
export function reportTypeDocumentId({ regServerId, moduleId }: ReportTypePlace, reportTypeId: string): string {
  return [regServerId, moduleId, reportTypeId].join('.');
}
