/** Every command of the extension, in the order of the manifest. */
export const commandIds = [
  'analytics.server.add',
  'analytics.server.addAccount',
  'analytics.server.startLocal',
  'analytics.server.stopLocal',
  'analytics.server.signIn',
  'analytics.server.signOut',
  'analytics.server.rename',
  'analytics.server.remove',
  'analytics.tree.refresh',
  'analytics.tree.retry',
  'analytics.report.open',
  'analytics.report.run',
  'analytics.report.showSql',
  'analytics.object.open',
  'analytics.item.addFavourite',
  'analytics.item.removeFavourite',
  'analytics.item.copyId',
  'analytics.item.copyName',
  'analytics.log.show',
] as const;

export type CommandId = (typeof commandIds)[number];
