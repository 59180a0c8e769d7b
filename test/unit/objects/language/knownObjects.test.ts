import { expect, it } from 'vitest';
import { readKnownObjects, type Call } from '../../../../src/objects/language/knownObjects.ts';
import { fieldOfName, fieldsOfTree } from '../../../../src/objects/language/reportFields.ts';
import { JsonText, nodesAt } from '../../../../src/objects/language/jsonText.ts';
import { noFacts } from '../../../../src/objects/language/serverFacts.ts';

const reading = (answers: Record<string, unknown>) => (async (path: string) => answers[path]) as unknown as Call;

it('takes a tag for active where a server does not say, and knows who has a value of it', async () => {
  const call = reading({
    'DataTag/GetAllDataTags': [
      { ID: 3, Label: 'state', SecurityGroups: [{ RightID: 16, Option1: 'CA' }], Contacts: null },
      { ID: 4, Label: 'zone', isActive: false, DefaultValue: 'x' },
    ],
  });
  const [state, zone] = await readKnownObjects(call, 'tag');
  expect(state).toMatchObject({ id: '3', tag: { isActive: true, defaultValue: '' } });
  expect(state?.tag?.groupValues.get('16')).toBe('CA');
  expect(zone?.tag?.isActive).toBe(false);
});

it('knows the tags of a policy by their labels, whatever their case', async () => {
  const policy = { id: '1', Name: 'P', Constraints: [{ Value: '/#State#/ /#STATE#/' }], Users: [{ ID: 5 }, null] };
  const [known] = await readKnownObjects(reading({ 'Shield/GetAllShieldPolicies': [policy] }), 'policy');
  expect(known?.policy).toMatchObject({ tagLabels: ['state'], userIds: ['5'], isActive: false });
});

it('knows reports, not the dashboards that are listed with them', async () => {
  const items = [
    { id: 1, ReportName: 'R', itemtype: 1, ReportType: 'Flights', folderpath: 'Public' },
    { id: 2, ReportName: 'Board', itemtype: 0 },
  ];
  const found = await readKnownObjects(reading({ 'library/SearchReports': items }), 'report');
  expect(found).toEqual([{ id: '1', name: 'R', detail: 'Public', reportType: 'Flights' }]);
});

it('calls a field as reports do, and of several of one label means that of the formula’s own table', () => {
  const node = (dbtablealias: string, more: object = {}) => ({
    text: 'City',
    dbfieldname: 'city',
    dbtablealias,
    ...more,
  });
  const reportFields = fieldsOfTree({ children: [node('o'), node('d'), node('x', { ReportFieldName: 'Town' })] });
  expect(reportFields.map(({ name }) => name)).toEqual(['City', 'City', 'Town']);
  const json = new JsonText('{ "FieldList": [{ "DbTableAlias": "d" }, { "DbTableAlias": "z" }] }');
  const facts = { ...noFacts, reportFields };
  const name = { label: 'city', isQuoted: true, offset: 0, length: 4 };
  const [own, other] = nodesAt(json.root, 'FieldList')[0]?.children ?? [];
  expect(own && fieldOfName(name, own, facts)?.tableAlias).toBe('d');
  expect(other && fieldOfName(name, other, facts)?.tableAlias).toBe('o');
});
