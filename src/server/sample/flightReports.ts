import type { SampleField, SampleReport } from './sampleReport.ts';
import { flightsType } from './sampleReportTypes.ts';

const flightCount: SampleField = {
  of: 'flights.flight_date',
  label: 'Flights',
  key: 'flights',
  aggregate: 'COUNT',
  type: 'num',
};
const averageDelay: SampleField = {
  of: 'flights.delay',
  label: 'Average Delay',
  key: 'average_delay',
  formula: 'ROUND(AVG(?), 1)',
  type: 'num',
};
const onTimeShare: SampleField = {
  of: 'flights.delay',
  label: 'On-Time Share',
  key: 'on_time_share',
  formula: 'ROUND(100 * AVG(CASE WHEN ? <= 15 THEN 1 ELSE 0 END), 1)',
  type: 'per',
};
const month: SampleField = {
  of: 'flights.flight_date',
  label: 'Month',
  key: 'month',
  formula: 'MONTHSTART(?)',
  type: 'doz',
};
const originState: SampleField = { of: 'flights.origin_state' };
/** States for charts and maps: excludes the few flights from airports whose state is unknown. */
const knownState: SampleField = { ...originState, sort: 1, where: [{ op: 'is not null' }] };

const reportType = flightsType;

/** Reports on flights; each may refer to earlier ones. */
export const flightReports: readonly SampleReport[] = [
  {
    key: 'flights.airports',
    name: 'Airports with Flights',
    description:
      'Every airport that flights leave from, with a link to the map. Also the value list of airport prompts.',
    reportType,
    outputType: 1,
    fields: [
      { of: 'flights.origin', label: 'Code', key: 'code', sort: 1 },
      { of: 'origin_airport.name', label: 'Airport', key: 'airport' },
      { of: 'origin_airport.city', label: 'City' },
      { of: 'origin_airport.state', label: 'State' },
      {
        of: 'origin_airport.latitude',
        label: 'Map',
        key: 'map',
        formula: `CONCAT('https://www.openstreetmap.org/?mlat=', MIN(?), '&mlon=', MIN(origin_airport.longitude))`,
        type: 'lnk',
      },
    ],
  },
  {
    key: 'flights.routes',
    name: 'Routes',
    description: 'Every pair of airports that a flight connects, once.',
    reportType,
    outputType: 1,
    isDistinct: true,
    fields: [
      { of: 'flights.origin', sort: 1 },
      { of: 'flights.destination', sort: 2 },
      { of: 'flights.origin_state' },
      { of: 'flights.destination_state' },
    ],
  },
  {
    key: 'flights.all',
    name: 'All Flights',
    description: 'Every flight with both airports: large on purpose, cut off at the most rows that a report returns.',
    reportType,
    outputType: 1,
    fields: [
      { of: 'flights.departure' },
      { of: 'flights.origin' },
      { of: 'origin_airport.name' },
      { of: 'origin_airport.city' },
      { of: 'flights.origin_state' },
      { of: 'flights.destination' },
      { of: 'destination_airport.name', key: 'destination_name' },
      { of: 'destination_airport.city', key: 'destination_city' },
      { of: 'flights.destination_state' },
      { of: 'flights.distance' },
      { of: 'flights.delay' },
      {
        of: 'flights.delay',
        label: 'On Time',
        key: 'on_time',
        formula: `CASE WHEN ? <= 15 THEN 'Yes' ELSE 'No' END`,
        type: 'for',
      },
    ],
  },
  {
    key: 'flights.search',
    name: 'Flights by Date and State',
    description: 'Asks for a range of dates; states and a least delay may be given, too.',
    reportType,
    outputType: 1,
    fields: [
      { of: 'flights.flight_date', sort: 1, where: [{ op: 'between', prompt: 'mandatory' }] },
      { of: 'flights.departure', sort: 2 },
      { of: 'flights.origin', sort: 3 },
      { of: 'flights.origin_state', where: [{ op: 'in', prompt: 'skippable' }] },
      { of: 'flights.destination', sort: 4 },
      { of: 'flights.distance' },
      { of: 'flights.delay', where: [{ op: '>=', prompt: 'skippable' }] },
    ],
  },
  {
    key: 'flights.byAirport',
    name: 'Flights from an Airport',
    description:
      'Asks for one airport, offered by name; the destination city and a greatest distance may be given, too.',
    reportType,
    outputType: 1,
    fields: [
      {
        of: 'flights.origin',
        where: [
          {
            op: '=',
            prompt: 'mandatory',
            valuesFrom: { report: 'flights.airports', value: 'code', display: 'airport' },
          },
        ],
      },
      { of: 'flights.departure', sort: 1 },
      { of: 'flights.destination' },
      { of: 'destination_airport.city', where: [{ op: 'like', prompt: 'skippable' }] },
      { of: 'flights.distance', where: [{ op: '<', prompt: 'skippable' }] },
      { of: 'flights.delay' },
    ],
  },
  {
    key: 'flights.airportsOfState',
    name: 'Airports of a State',
    description: 'Flights and delays per airport; an airport opens its flights.',
    reportType,
    outputType: 1,
    fields: [
      { of: 'flights.origin', label: 'Airport', type: 'ddn' },
      { of: 'origin_airport.city', label: 'City' },
      { of: 'flights.origin_state' },
      { ...flightCount, sort: -1 },
      averageDelay,
    ],
    links: [{ to: 'flights.all', columns: [['origin', 'origin']] }],
  },
  {
    key: 'flights.states',
    name: 'Delays by State',
    description: 'Flights and delays per state; a state opens its airports, an airport its flights.',
    reportType,
    outputType: 1,
    fields: [
      { ...knownState, type: 'ddn' },
      flightCount,
      averageDelay,
      onTimeShare,
      { of: 'flights.delay', label: 'Longest Delay', key: 'longest_delay', aggregate: 'MAX' },
    ],
    links: [{ to: 'flights.airportsOfState', columns: [['origin_state', 'origin_state']] }],
  },
  {
    key: 'flights.longest',
    name: 'Hundred Longest Delays',
    description: 'The flights that arrived latest.',
    reportType,
    outputType: 1,
    topN: 100,
    fields: [
      { of: 'flights.delay', sort: -1 },
      { of: 'flights.departure', sort: 2 },
      { of: 'flights.origin', sort: 3 },
      { of: 'origin_airport.city' },
      { of: 'flights.destination', sort: 4 },
      { of: 'flights.distance' },
    ],
  },
  {
    key: 'flights.delayChart',
    name: 'Average Delay by State',
    description: 'Mean arrival delay in minutes of the flights leaving each state.',
    reportType,
    outputType: 2,
    fields: [knownState, averageDelay],
  },
  {
    key: 'flights.count',
    name: 'Number of Flights',
    description: 'How many flights there are.',
    reportType,
    outputType: 3,
    fields: [flightCount],
  },
  {
    key: 'flights.onTime',
    name: 'On-Time Share',
    description: 'Share of flights that arrived at most 15 minutes late.',
    reportType,
    outputType: 4,
    fields: [onTimeShare],
  },
  {
    key: 'flights.distances',
    name: 'Flights by Distance',
    description: 'Share of short, middle and long flights.',
    reportType,
    outputType: 6,
    fields: [
      {
        of: 'flights.distance',
        label: 'Distance Band',
        key: 'distance_band',
        formula: `CASE WHEN ? < 250 THEN 'under 250 miles' WHEN ? < 500 THEN '250 to 499 miles' WHEN ? < 1000 THEN '500 to 999 miles' WHEN ? < 2000 THEN '1000 to 1999 miles' ELSE '2000 miles and more' END`,
        type: 'for',
      },
      { ...flightCount, sort: -1 },
    ],
  },
  {
    key: 'flights.daily',
    name: 'Flights and Delay per Day',
    description: 'Bars for the number of flights, a line for their average delay.',
    reportType,
    outputType: 7,
    fields: [{ of: 'flights.flight_date', sort: 1 }, flightCount, averageDelay],
  },
  {
    key: 'flights.weekdays',
    name: 'Delay by State and Weekday',
    description: 'Average delay: a row per state, a column per day of the week (Monday is 1).',
    reportType,
    outputType: 8,
    fields: [
      knownState,
      {
        of: 'flights.flight_date',
        label: 'Weekday',
        key: 'weekday',
        formula: 'WEEKDAY(?)',
        type: 'num',
        sort: 2,
      },
      averageDelay,
    ],
  },
  {
    key: 'flights.tree',
    name: 'Flights by State and Airport',
    description: 'Areas in proportion to the flights that leave each airport.',
    reportType,
    outputType: 9,
    fields: [knownState, { of: 'flights.origin', sort: 2 }, flightCount],
  },
  {
    key: 'flights.map',
    name: 'Map of Delays',
    description: 'States coloured by the average delay of the flights leaving them.',
    reportType,
    outputType: 10,
    fields: [knownState, averageDelay, flightCount],
  },
  {
    key: 'flights.hours',
    name: 'Departures by Weekday and Hour',
    description: 'Departures in each hour of each day of the week.',
    reportType,
    outputType: 11,
    fields: [
      { of: 'flights.flight_date', label: 'Weekday', key: 'weekday', formula: 'WEEKDAY(?)', type: 'num', sort: 1 },
      { of: 'flights.departure', label: 'Hour', key: 'hour', formula: 'HOUR(?)', type: 'num', sort: 2 },
      flightCount,
    ],
  },
  {
    key: 'flights.monthly',
    name: 'Monthly Traffic by State',
    description: 'Flights and miles per state and month, with totals per state and for all.',
    reportType,
    outputType: 12,
    fields: [
      { ...knownState, isGroup: true },
      { ...month, sort: 2 },
      flightCount,
      { of: 'flights.distance', label: 'Miles', key: 'miles', aggregate: 'SUM' },
    ],
    totals: [
      { type: 'total', func: 'SUM', field1: 'flights', field2: '', Value2: '', percent: true, addgtotal: true },
      { type: 'total', func: 'SUM', field1: 'miles', field2: '', Value2: '', percent: false, addgtotal: true },
      { type: 'calc', func: '/', field1: 'miles', field2: 'flights', Value2: '', percent: false, addgtotal: false },
    ],
  },
];

/**
 * A report for the folder of one tenant: shows the tenant's own airports only, because row security hides all others.
 */
export function tenantReport(tenant: string): SampleReport {
  return {
    key: `flights.tenant.${tenant}`,
    name: `Airports of ${tenant}`,
    description: `Flights and delays per airport of ${tenant}, grouped by state.`,
    reportType,
    outputType: 12,
    fields: [
      { ...knownState, isGroup: true },
      { of: 'flights.origin', label: 'Airport', sort: 2 },
      flightCount,
      averageDelay,
    ],
    totals: [
      { type: 'total', func: 'SUM', field1: 'flights', field2: '', Value2: '', percent: false, addgtotal: true },
    ],
  };
}

/** A report for a personal folder. */
export const draftReport: SampleReport = {
  key: 'flights.draft',
  name: 'Busiest Airports (draft)',
  description: 'The twenty airports that most flights leave from.',
  reportType,
  outputType: 1,
  topN: 20,
  fields: [
    { of: 'flights.origin', label: 'Airport', sort: 2 },
    { of: 'origin_airport.city', label: 'City' },
    { ...flightCount, sort: -1 },
  ],
};
