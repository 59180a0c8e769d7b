const cities = [
  'Atlanta',
  'Boston',
  'Chicago O’Hare',
  'Dallas Fort Worth',
  'Denver',
  'Detroit',
  'Houston',
  'Los Angeles',
];
const states = ['AL', 'AZ', 'CA', 'CO', 'FL', 'GA', 'IL', 'MA', 'MI', 'NV', 'NY', 'OH', 'PA', 'TX', 'UT', 'WA'];
const airlines = ['Alaska Airlines', 'American Airlines', 'Delta Air Lines', 'Southwest Airlines', 'United Airlines'];
const remarks = [
  'crew rest',
  'de-icing, second pass',
  'late inbound aircraft',
  'gate change: \\"B\\" to \\"C\\"',
  'Übergepäck',
];

/** Numbers from 0 (included) to 1, the same for the same seed, so that every process works on the same rows. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const columns = [
  ['FlightId', 'num'],
  ['FlightDate', 'doz'],
  ['Airline', 'cha'],
  ['Origin', 'cha'],
  ['Destination', 'cha'],
  ['Ticket', 'cha'],
  ['Remark', 'cha'],
  ['DelayMinutes', 'num'],
  ['DistanceMiles', 'num'],
  ['Fare', 'cur'],
  ['LoadFactor', 'per'],
  ['IsOnTime', 'cha'],
] as const;

/**
 * The reply of GetReportData for `rowCount` rows of 12 columns in compact JSON, 250 bytes a row, in blocks: six columns of text
 * (one of them different in every row, one with nulls and escapes), five of numbers, one of booleans.
 */
export function* sampleReply(rowCount: number): Generator<Buffer> {
  const random = randomNumbers(2001);
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const place = () => `${pick(cities)}, ${pick(states)}`;
  const day = (n: number) => new Date(Date.UTC(2001, 0, 1 + n)).toISOString().slice(0, 19);
  const row = (id: number) =>
    `{"FlightId":${1_000_000 + id},"FlightDate":"${day(Math.floor((id * 365) / rowCount))}","Airline":"${pick(airlines)}",` +
    `"Origin":"${place()}","Destination":"${place()}","Ticket":"TK-${id.toString(36)}-${Math.floor(random() * 1e9)}",` +
    `"Remark":${random() < 0.6 ? 'null' : `"${pick(remarks)}"`},"DelayMinutes":${Math.floor(random() * 240) - 30},` +
    `"DistanceMiles":${100 + Math.floor(random() * 2600)},"Fare":${(40 + random() * 900).toFixed(2)},` +
    `"LoadFactor":${random().toFixed(4)},"IsOnTime":${random() < 0.7}}`;
  const listed = columns.map(([key, type]) => ({ headerText: key, key, dataType: '', width: 120, yurbitype: type }));
  const head = { ErrorCode: 0, ErrorMessage: '', HasError: false, ReportID: '1', OutputType: 1, Columns: listed };
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"Data":[`);
  for (let start = 0; start < rowCount; start += 200) {
    const rows = Array.from({ length: Math.min(200, rowCount - start) }, (_, i) => row(start + i));
    yield Buffer.from((start === 0 ? '' : ',') + rows.join(','));
  }
  yield Buffer.from(
    '],"GroupMetadata":[],"groups":[],"IsFromCache":false,"IsTopLevel":true,"etime":"512","dbtime":"430"}',
  );
}
