/** Name of a folder or report by number, as the sidebar sorts them. */
export const largeNames = {
  folder: (folder: number): string => `Region ${String(folder).padStart(3, '0')}`,
  report: (folder: number, report: number): string => `Revenue ${String(folder).padStart(3, '0')}-${report}`,
  user: (user: number): string => `employee.${String(user).padStart(4, '0')}`,
};
