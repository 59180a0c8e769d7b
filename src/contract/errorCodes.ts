/** Application error codes. API description, Application error codes. */
export const errorCodes = {
  success: 0,
  notSignedIn: 101,
  noLicence: 200,
  noSuchReport: 586,
  unexpected: 9000,
  notCompleted: 9001,
  serverUnreachable: 9002,
} as const;
