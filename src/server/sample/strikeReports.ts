import type { SampleField, SampleReport } from './sampleReport.ts';
import { strikesType } from './sampleReportTypes.ts';

const strikeCount: SampleField = {
  of: 'strikes.strike_id',
  label: 'Strikes',
  key: 'strikes',
  aggregate: 'COUNT',
  type: 'num',
};
const totalCost: SampleField = { of: 'strikes.cost_total', aggregate: 'SUM', type: 'cur' };
const year: SampleField = {
  of: 'strikes.flight_date',
  label: 'Year',
  key: 'year',
  formula: 'YEAR(?)',
  type: 'num',
  sort: 1,
};

const reportType = strikesType;

/** Reports on bird strikes; each may refer to earlier ones. */
export const strikeReports: readonly SampleReport[] = [
  {
    key: 'strikes.search',
    name: 'Find Bird Strikes',
    description:
      'Asks for part of a species; phase of flight, operators, dates, a least cost and a greatest speed may be given, too.',
    reportType,
    outputType: 1,
    fields: [
      { of: 'strikes.flight_date', sort: -1, where: [{ op: 'between', prompt: 'skippable' }] },
      { of: 'strikes.species', where: [{ op: 'like', prompt: 'mandatory' }] },
      { of: 'strikes.wildlife_size' },
      { of: 'strikes.operator', where: [{ op: 'in', prompt: 'skippable' }] },
      { of: 'strikes.aircraft' },
      { of: 'strikes.phase_of_flight', where: [{ op: '=', prompt: 'skippable' }] },
      { of: 'strikes.airport_name' },
      { of: 'strikes.state' },
      { of: 'strikes.speed_knots', where: [{ op: '<=', prompt: 'skippable' }] },
      { of: 'strikes.cost_total', where: [{ op: '>', prompt: 'skippable' }] },
    ],
  },
  {
    key: 'strikes.times',
    name: 'Strikes by Time of Report',
    description: 'The day of each strike as different databases store times, with a file to download.',
    reportType,
    outputType: 1,
    fields: [
      { of: 'strikes.strike_id', sort: 1 },
      { of: 'strikes.flight_date' },
      { of: 'strikes.reported_at', label: 'In Your Zone', key: 'in_your_zone' },
      { of: 'strikes.reported_unix', label: 'Unix Time', key: 'unix_time' },
      { of: 'strikes.reported_at', label: 'Timestamp', key: 'as_stored', type: 'tsp' },
      {
        of: 'strikes.airport',
        label: 'File',
        key: 'file',
        formula: `CONCAT('https://raw.githubusercontent.com/vega/vega-datasets/main/data/birdstrikes.csv#', ?)`,
        type: 'flk',
      },
      { of: 'strikes.state' },
    ],
  },
  {
    key: 'strikes.all',
    name: 'All Bird Strikes',
    description:
      'Every report with the airport it came from; airports that the airport list does not know have no city.',
    reportType,
    outputType: 1,
    fields: [
      { of: 'strikes.strike_id', sort: 1 },
      { of: 'strikes.flight_date' },
      { of: 'strikes.airport_name' },
      { of: 'airport.city' },
      { of: 'strikes.state' },
      { of: 'strikes.operator' },
      { of: 'strikes.aircraft' },
      { of: 'strikes.species' },
      { of: 'strikes.wildlife_size' },
      { of: 'strikes.phase_of_flight' },
      { of: 'strikes.time_of_day' },
      { of: 'strikes.damage' },
      { of: 'strikes.speed_knots' },
      { of: 'strikes.cost_repair' },
      { of: 'strikes.cost_other' },
      { of: 'strikes.cost_total' },
    ],
  },
  {
    key: 'strikes.states',
    name: 'Bird Strikes by State',
    description: 'Strikes and their cost per state; a state opens its strikes.',
    reportType,
    outputType: 1,
    fields: [{ of: 'strikes.state', type: 'ddn', sort: 1 }, { of: 'strikes.state_name' }, strikeCount, totalCost],
    links: [{ to: 'strikes.all', columns: [['state', 'state']] }],
  },
  {
    key: 'strikes.costs',
    name: 'Cost by Size and Phase',
    description:
      'Mean cost and number of strikes: a row per phase of flight, columns per size of the animal and time of day.',
    reportType,
    outputType: 13,
    fields: [
      { of: 'strikes.phase_of_flight', sort: 1 },
      { of: 'strikes.wildlife_size', sort: 2 },
      { of: 'strikes.time_of_day', sort: 3 },
      strikeCount,
      { of: 'strikes.cost_total', label: 'Mean Cost', key: 'mean_cost', aggregate: 'AVG', type: 'cur' },
    ],
  },
  {
    key: 'strikes.years',
    name: 'Strikes per Year and Size',
    description: 'A line per size of the animal; the last year ends in July.',
    reportType,
    outputType: 14,
    fields: [year, { of: 'strikes.wildlife_size', sort: 2 }, strikeCount],
  },
  {
    key: 'strikes.species',
    name: 'Costly Species',
    description: 'Species whose strikes cost something, the costliest first.',
    reportType,
    outputType: 2,
    fields: [{ of: 'strikes.species' }, { ...totalCost, sort: -1, where: [{ op: '>', values: ['0'] }] }, strikeCount],
  },
];
