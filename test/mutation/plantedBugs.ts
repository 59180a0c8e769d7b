/** A bug as a tired engineer writes it: `find`, which occurs once in `src/`, becomes `replace`. */
export interface PlantedBug {
  name: string;
  area: Area;
  find: string;
  replace: string;
  /** Tests, such as `test/contract/a.test.ts`, that reach it through a process of its own, which the import graph does not show. */
  reachedBy?: readonly string[];
}

export type Area =
  | 'row security'
  | 'merge'
  | 'save'
  | 'secrets'
  | 'deletion'
  | 'export'
  | 'access'
  | 'session'
  | 'results'
  | 'prompts'
  | 'import'
  | 'text';

/** Areas in which every planted bug must be caught. */
export const mustBeCaught: readonly Area[] = ['row security', 'merge', 'save', 'secrets', 'deletion', 'export'];

const bug = (area: Area, name: string, find: string, replace: string, ...reachedBy: string[]): PlantedBug => ({
  name,
  area,
  find,
  replace,
  ...(reachedBy.length > 0 && { reachedBy }),
});

export const plantedBugs: readonly PlantedBug[] = [
  bug(
    'row security',
    'policies join with OR',
    'new SecuredSource(table, restrictions.length > 0 ? allOf(restrictions)',
    'new SecuredSource(table, restrictions.length > 0 ? anyOf(restrictions)',
  ),
  bug(
    'row security',
    'a missing column closes nothing',
    'if (!column || !kind) return nothing;',
    'if (!column || !kind) return allOf([]);',
  ),
  bug(
    'row security',
    'a broken value opens the table',
    'if (error instanceof ValueError) return nothing;',
    'if (error instanceof ValueError) return allOf([]);',
  ),
  bug(
    'row security',
    'wildcards in tag values work',
    'return part.isTag ? [{ literal: part.text }] : patternOf(part.text);',
    'return patternOf(part.text);',
  ),
  bug(
    'row security',
    'table names compare with case',
    'function foldName(name: string): string {\n  return bareName(name).toLowerCase();',
    'function foldName(name: string): string {\n  return bareName(name);',
  ),
  bug(
    'row security',
    'an untraceable view is open',
    'if (!isComplete && constraints.length > 0) throw',
    'if (!isComplete && constraints.length > 1) throw',
  ),
  bug(
    'row security',
    'a policy of an application misses its databases elsewhere',
    "return ModuleID === '' || ModuleID === moduleId || otherPaths.moduleIds.includes(ModuleID);",
    "return ModuleID === '' || ModuleID === moduleId;",
  ),
  bug('row security', 'the last day of between is lost', "return test('<', before);", "return test('<', from);"),
  bug(
    'row security',
    'not between includes its ends',
    "return anyOf([comparison(subject, '<', first), comparison(subject, '>', second)]);",
    "return anyOf([comparison(subject, '<=', first), comparison(subject, '>=', second)]);",
  ),
  bug(
    'row security',
    'a date differs only after the day',
    "return anyOf([test('<', from), test('>=', before)]);",
    "return anyOf([test('>=', before)]);",
  ),
  bug(
    'row security',
    'literals of policies are shown',
    "return first?.kind === 'placeholder' && more.length === 0 ? value : maskedValue;",
    "return first?.kind === 'placeholder' || more.length > 0 ? value : maskedValue;",
  ),
  bug(
    'row security',
    'an empty tag value matches',
    ".filter((value) => value !== '');\n  return texts.map",
    ';\n  return texts.map',
  ),
  bug(
    'merge',
    'their change is lost',
    '      this.theirChanges.push(path);\n      return theirs;',
    '      this.theirChanges.push(path);\n      return mine;',
  ),
  bug('merge', 'a conflict takes theirs without asking', 'if (side === undefined) this.conflicts.push(conflict);', ''),
  bug(
    'merge',
    'two removals open a restriction',
    'entries.length === 0 && lists.mine.size > 0 && lists.theirs.size > 0',
    'entries.length === 0 && lists.mine.size > 1 && lists.theirs.size > 1',
  ),
  bug(
    'merge',
    'read-only edits are kept',
    'this.readOnlyEdits.push(path);\n    return theirs;\n  }\n\n  #value',
    'return theirs;\n  }\n\n  #value',
  ),
  bug(
    'merge',
    'a decision outlives the state that it was made for',
    'request.resolution?.serverState === serverState ? request.resolution.choose : undefined',
    'request.resolution?.choose',
  ),
  bug(
    'merge',
    'a decision holds for another value',
    'isSameJson(mine, conflict.mine) && isSameJson(theirs, conflict.theirs)',
    'isSameJson(theirs, conflict.theirs)',
  ),
  bug(
    'save',
    'a refused save is joined without a newer revision',
    "if (before === undefined) return false;\n  return !isSameJson(before, fieldOf(await kind.read(server, id), 'Revision'));",
    'return before !== undefined;',
  ),
  bug(
    'save',
    'a stored password is blanked',
    "if (given === undefined || (given === '' && need === 'yes')) return undefined;",
    'if (given === undefined) return undefined;',
  ),
  bug(
    'save',
    'a cancelled password saves',
    "const sent = await withSecret(request, withView(full, merge.view, kind.shape), full);\n  if (!sent) return { kind: 'cancelled' };",
    'const sent = (await withSecret(request, withView(full, merge.view, kind.shape), full)) ?? full;',
  ),
  bug(
    'save',
    'a field that the server dropped is not told',
    "return { kind: 'saved', view, ...joined, notTaken: missing(view), ...(notice",
    "return { kind: 'saved', view, ...joined, notTaken: [], ...(notice",
  ),
  bug(
    'save',
    'a gateway error counts as a refusal',
    "return error.kind !== 'refused' || error.code === undefined;",
    "return error.kind !== 'refused';",
  ),
  bug(
    'save',
    'an unsent write counts as unknown',
    'if (error.isUnsent || verdicts.includes(error.kind)) return false;',
    'if (verdicts.includes(error.kind)) return false;',
  ),
  bug(
    'save',
    'an emptied restriction needs no confirmation',
    '.filter((field) => !isEmpty(base, field) && isEmpty(mine, field));',
    '.filter((field) => isEmpty(base, field) && isEmpty(mine, field));',
  ),
  bug(
    'save',
    'the digest of an audit entry leaves out its user',
    'JSON.stringify([previous, id, moment, typeId, userId, detail])',
    'JSON.stringify([previous, id, moment, typeId, detail])',
  ),
  bug(
    'save',
    'a cut end of the audit trail is signed with the next entry',
    "if (before.proof === '' || (before.proof !== this.#latest && this.judge(before) !== 'valid')) return before.proof;",
    "if (before.proof === '') return before.proof;",
  ),
  bug(
    'save',
    'each start signs the audit trail of another key',
    "(isNew && judgement === 'foreign')",
    "judgement === 'foreign'",
  ),
  bug(
    'save',
    'entries that expire between others break the audit trail',
    'digest: behind?.digest ?? run.digest,',
    'digest: run.digest,',
  ),
  bug(
    'save',
    'an audit entry is added behind an end that was moved back',
    'max(entry_id, (SELECT coalesce(max(id), 0) FROM audit_entry)) AS last_id',
    'entry_id AS last_id',
  ),
  bug('save', 'a backup is taken for the state that it was made of', "database.exec('PRAGMA user_version = 0');", ''),
  bug(
    'save',
    'check repairs the data of a newer release',
    'requireKnown(folder.path, folder.stateFile);',
    '',
    'test/contract/server/state/backups.test.ts',
  ),
  bug(
    'secrets',
    'a session of another realm is used',
    'if (!value || value.realm !== realm) return undefined;',
    'if (!value) return undefined;',
  ),
  bug(
    'secrets',
    'signing out is forgotten',
    'const value = session ? { realm, ...session } : { isSignedOut: true };',
    'const value = session ? { realm, ...session } : {};',
  ),
  bug(
    'secrets',
    'an extension revives an ended session',
    'kept?.token === session.token && !kept.isTakenOver && Date.parse(kept.expiresAt) < expiry',
    "Date.parse(kept?.expiresAt ?? '') < expiry && kept",
  ),
  bug(
    'secrets',
    'a stack keeps the secret',
    'if (stack !== current.stack && current.stack !== undefined) current.stack = stack;',
    '',
  ),
  bug(
    'secrets',
    'causes keep the secret',
    'for (let current = error; current instanceof Error; current = current.cause) {\n    const message = hide(current.message);',
    'for (let current = error; current instanceof Error; current = undefined) {\n    const message = hide(current.message);',
  ),
  bug(
    'secrets',
    'nested secrets are shown',
    "if (typeof part !== 'string') return secretsIn(part);",
    "if (typeof part !== 'string') return [];",
  ),
  bug(
    'secrets',
    'a changed certificate passes',
    'if (presented === expected) {',
    "if (presented !== '') {",
    'test/contract/clientTls.test.ts',
  ),
  bug(
    'secrets',
    'any password matches an empty hash',
    'isPossible && parts.key !== undefined && parts.key.length === key.length && timingSafeEqual(parts.key, key)',
    'isPossible && (parts.key === undefined || timingSafeEqual(parts.key, key))',
    'test/contract/server/identity/identitySession.test.ts',
  ),
  bug(
    'secrets',
    'journals of a removed server stay',
    'if (text !== undefined && namesServer(text, id)) await rm(file, { force: true });',
    'if (text === id) await rm(file, { force: true });',
  ),
  bug(
    'deletion',
    'a deletion that did nothing is success',
    "if (outcome === 'answered' && (await traces.read(undefined)).length > 0) throw stillThere(server, object);",
    "if (outcome === 'answered' && (await traces.read(undefined)).length > 1) throw stillThere(server, object);",
  ),
  bug(
    'deletion',
    'another entry of the list is looked at',
    '?.filter((entry) => entry.id === id);',
    '?.filter((entry) => entry.id.startsWith(id));',
  ),
  bug(
    'deletion',
    'an object that is not set is deleted',
    'if (kind.isSet?.(full) === false) throw nothingThere(server, object);',
    '',
  ),
  bug(
    'deletion',
    'a folder of two groups is reported as lost',
    'groupIdsOf(folder).every((id) => id === groupId)',
    'groupIdsOf(folder).some((id) => id === groupId)',
  ),
  bug(
    'export',
    'a formula is exported',
    "return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;",
    'return text;',
  ),
  bug('export', 'quotes are not doubled', '`"${safe.replaceAll(\'"\', \'""\')}"`', '`"${safe}"`'),
  bug('export', 'JSON loses a comma between rows', "rowGap: ',\\n',", "rowGap: '\\n',"),
  bug(
    'export',
    'the first row is taken for a later one',
    'await rows.write(row, Math.min(row + rowsPerLook, count), start === 0);',
    'await rows.write(row, Math.min(row + rowsPerLook, count), row === 0);',
  ),
  bug(
    'export',
    'a single column writes blank lines',
    'const isAlone = columns.length === 1 && alone !== undefined;',
    'const isAlone = columns.length === 0 && alone !== undefined;',
  ),
  bug(
    'export',
    'Markdown keeps pipes',
    "return text.replace(/[\\\\`*_{}[\\]<>#|&~!$]/g, '\\\\$&')",
    "return text.replace(/[\\\\`*_{}[\\]<>#&~!$]/g, '\\\\$&')",
  ),
  bug(
    'access',
    'a viewer may modify',
    "'3': { ...viewOnly, modify: true },",
    "'3': { ...viewOnly },",
    'test/contract/server/library.test.ts',
  ),
  bug(
    'access',
    'guests own personal folders',
    'folder.ownerId === caller.userId && !caller.isGuest ? all : none',
    'folder.ownerId === caller.userId ? all : none',
    'test/contract/server/library.test.ts',
    'test/contract/server/identity/authorisation.test.ts',
  ),
  bug(
    'access',
    'a restricted folder inherits',
    'if (folder.isRestricted) return folder.groupIds;',
    'if (folder.isRestricted && folder.groupIds.length > 0) return folder.groupIds;',
    'test/contract/security/folderAudience.test.ts',
    'test/contract/server/library.test.ts',
  ),
  bug(
    'access',
    'a role beside another counts as the only one',
    'return held?.length === 1 && held[0] === roleId;',
    'return held?.includes(roleId) === true;',
  ),
  bug(
    'access',
    'an empty denial with a code is a denial',
    "denials.includes(kind) || (kind === 'refused' && code === undefined && status === 200)",
    "denials.includes(kind) || (kind === 'refused' && status === 200)",
  ),
  bug(
    'session',
    'a session that expired was taken over',
    'if (Date.parse(session.expiresAt) - now <= expiryToleranceMs) return false;',
    '',
  ),
  bug(
    'session',
    'a session signed in again is marked',
    'if (shared?.token === token && !shared.isTakenOver) await vault.write',
    'if (shared && !shared.isTakenOver) await vault.write',
  ),
  bug(
    'session',
    'rights of the account are not read again',
    'facts.some((fact) => stored.account[fact] !== current.account[fact])',
    'facts.some((fact) => stored.account[fact] === undefined)',
  ),
  bug('prompts', 'the week starts on Sunday', '((weekday(now) + 6) % 7)', '(weekday(now) % 7)'),
  bug(
    'prompts',
    'last 7 days are eight',
    'return { low: textOf(addDays(moved(-count), 1)), high: textOf(now) };',
    'return { low: textOf(moved(-count)), high: textOf(now) };',
  ),
  bug(
    'prompts',
    'a month later skips short months',
    'return { ...first, day: Math.min(day, last.day) };',
    'return { ...first, day };',
  ),
  bug(
    'results',
    'numbers sort as text',
    'isNumeric ? new TextNumbers(column) : undefined, rowCount, pacer);',
    'isNumeric ? undefined : new TextNumbers(column), rowCount, pacer);',
  ),
  bug(
    'import',
    'a column twice takes the last',
    'column !== undefined && columns.indexOf(column) !== index',
    'column === undefined && columns.indexOf(column) !== index',
  ),
  bug(
    'import',
    'the quoted value of a bad line is shown',
    "'noCsv',\n        faultyLine(",
    "'noCsv',\n        error.message + faultyLine(",
  ),
  bug('text', 'icons are drawn from server text', ".replaceAll('$(', `$${thinSpace}(`)", ''),
  bug('text', 'command links are drawn from server text', ".replaceAll('](', `]${thinSpace}(`)", ''),
  bug(
    'save',
    'a single risky change is not asked about',
    'if (asked.length === 0 && !isNewEffect)',
    'if (asked.length <= 1 && !isNewEffect)',
  ),
  bug(
    'save',
    'a confirmed setting may take any value',
    'return one.field === other.field && isSameJson(one.now, other.now);',
    'return one.field === other.field;',
  ),
  bug(
    'save',
    'a save that was asked for counts for later writes',
    'return this.#asked.delete(uri.toString());',
    'return this.#asked.has(uri.toString());',
  ),
  bug(
    'save',
    'the answer to a conflict holds for other fields',
    'choose: onlyForConflicts(conflict.conflicts, choose),',
    'choose,',
  ),
  bug('save', 'what was typed during a save has the old base', 'document.base = mine;', ''),
  bug(
    'save',
    'renaming ignores another installation',
    'const installation = await this.#installationFor(server, target);\n    const base',
    'const installation = await server.installation();\n    const base',
  ),
  bug(
    'save',
    'a dropped report moves without asking',
    'if ((isDrop(argument) || effect.givesRows) && !(await confirmMove',
    'if (effect.givesRows && !(await confirmMove',
  ),
  bug(
    'secrets',
    'a kept password is lost when it changes',
    'password, isGuest: false }, isKept));',
    'password, isGuest: false }, false));',
  ),
  bug(
    'secrets',
    'a declined certificate is trusted',
    'if ((await showWarningMessage(question, { modal: true, detail }, trust)) !== trust) return false;',
    'await showWarningMessage(question, { modal: true, detail }, trust);',
  ),
  bug(
    'deletion',
    'a removed server leaves its imports',
    "['imports', 'applications', 'writes']",
    "['applications', 'writes']",
  ),
  bug(
    'deletion',
    'undo of an import does not ask',
    'if (!(await askToUndo(this.#job.undoable.length, connection.name))) return;',
    'await askToUndo(this.#job.undoable.length, connection.name);',
  ),
  bug(
    'import',
    'an import resumes on another installation',
    'await this.#checkInstallation(client);\n    await this.#exclusively(await this.#begin(), async',
    'await this.#exclusively(await this.#begin(), async',
  ),
  bug(
    'results',
    'far-apart numbers of a block wrap',
    'return isExact && high - low < 2 ** 32 ? { low, high } : undefined;',
    'return isExact && high - low <= 2 ** 32 ? { low, high } : undefined;',
  ),
  bug(
    'results',
    'decimal sums lose digits beyond 2^53 parts',
    'if (isOwn && Number.isSafeInteger(parts + this.#parts)) this.#parts += parts;',
    'if (isOwn) this.#parts += parts;',
  ),
  bug(
    'row security',
    'bound numbers of 16 digits are rounded',
    'const whole = BigInt(text);\n  return BigInt.asIntN',
    'const whole = BigInt(Number(text));\n  return BigInt.asIntN',
    'test/unit/server/databases/sqliteDriver.test.ts',
  ),
  bug(
    'merge',
    'an edit equal to the server counts as read-only',
    'if (!isSameJson(mine, base, shape) && !isSameJson(mine, theirs, shape)) this.readOnlyEdits',
    'if (!isSameJson(mine, base, shape)) this.readOnlyEdits',
  ),
  bug('save', 'a lost new secret counts as saved', "(secret === '' || fieldOf(found, stored.field) === secret) &&", ''),
  bug(
    'access',
    'the last group that others left opens a folder',
    'if (isRestricted && groups.size === 0 && !mayOpen) {',
    'if (isRestricted && groups.size === 0 && !mayOpen && added.length > 0) {',
  ),
  bug(
    'access',
    'rows of another account stay in the sidebar',
    'this.#reread(connection, (place) => isOther || place.loaded.some(isErrorNode));',
    'this.#reread(connection, (place) => place.loaded.some(isErrorNode));',
  ),
  bug(
    'deletion',
    'a policy of a group and a user is reported as restricting no one',
    "objectsIn(policy, 'Groups').length === 1 && objectsIn(policy, 'Users').length === 0",
    "objectsIn(policy, 'Groups').length === 1",
  ),
  bug(
    'deletion',
    'an entry that was never seen counts as deleted',
    'const isGone = known.size > 0 && !',
    'const isGone = !',
  ),
  bug(
    'deletion',
    'a pinned run is removed without asking',
    'if (pinned > 0 && !(await confirmPinned(pinned))) return;',
    'if (pinned > 1 && !(await confirmPinned(pinned))) return;',
  ),
  bug(
    'export',
    'text columns become numbers where columns are moved',
    'source.columns.map((column) => isNumberColumn(source.store.columns[column]));\n  const texts',
    'source.columns.map((_, column) => isNumberColumn(source.store.columns[column]));\n  const texts',
  ),
  bug(
    'import',
    'a password is taken from a shifted row',
    "password: isTooLong ? '' : asWritten('password'),",
    "password: asWritten('password'),",
  ),
];
