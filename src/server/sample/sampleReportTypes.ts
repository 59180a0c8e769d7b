import type { FieldTypeCode } from '../../contract/fieldTypes.ts';
import type { NewReportType, ReportTypeField } from '../catalogue/reportTypeModel.ts';

type Column = readonly [column: string, label: string, fieldType?: FieldTypeCode];

/** Columns of one folder of a field tree. */
interface Folder {
  path: string;
  tableAlias: string;
  columns: readonly Column[];
}

function fieldsOf(folders: readonly Folder[]): ReportTypeField[] {
  const fields = folders.flatMap(({ path: folder, tableAlias, columns }) =>
    columns.map(([column, label, fieldType]) => ({ label, folder, tableAlias, column, fieldType: fieldType ?? 'cha' })),
  );
  return fields.map((field, index) => ({ ...field, id: index + 1, order: index + 1 }));
}

function airportColumns(prefix: string): Column[] {
  return [
    ['name', `${prefix} Airport Name`],
    ['city', `${prefix} City`],
    ['state', `${prefix} Airport State`],
    ['state_name', `${prefix} State Name`],
    ['latitude', `${prefix} Latitude`, 'num'],
    ['longitude', `${prefix} Longitude`, 'num'],
  ];
}

/**
 * Flights with their origin and destination airports. Every flight's origin is listed; a tenant may not see every
 * destination.
 */
export const flightsType: NewReportType = {
  name: 'Flights',
  tables: [
    { name: 'flights', owner: '', alias: 'flights' },
    { name: 'airports', owner: '', alias: 'origin_airport' },
    { name: 'airports', owner: '', alias: 'destination_airport' },
  ],
  joins: [
    { kind: 'inner', leftAlias: 'flights', leftColumn: 'origin', rightAlias: 'origin_airport', rightColumn: 'iata' },
    {
      kind: 'left',
      leftAlias: 'flights',
      leftColumn: 'destination',
      rightAlias: 'destination_airport',
      rightColumn: 'iata',
    },
  ],
  fields: fieldsOf([
    {
      path: 'Flight',
      tableAlias: 'flights',
      columns: [
        ['departure', 'Departure', 'dtz'],
        ['flight_date', 'Flight Date', 'doz'],
        ['delay', 'Arrival Delay', 'num'],
        ['distance', 'Distance', 'num'],
      ],
    },
    {
      path: 'Route',
      tableAlias: 'flights',
      columns: [
        ['origin', 'Origin'],
        ['origin_state', 'Origin State'],
        ['destination', 'Destination'],
        ['destination_state', 'Destination State'],
      ],
    },
    { path: 'Airports/Origin', tableAlias: 'origin_airport', columns: airportColumns('Origin') },
    { path: 'Airports/Destination', tableAlias: 'destination_airport', columns: airportColumns('Destination') },
  ]),
};

/** Bird strikes with their airport, if the airport list contains it. */
export const strikesType: NewReportType = {
  name: 'Bird Strikes',
  tables: [
    { name: 'birdstrikes', owner: '', alias: 'strikes' },
    { name: 'airports', owner: '', alias: 'airport' },
  ],
  joins: [{ kind: 'left', leftAlias: 'strikes', leftColumn: 'airport', rightAlias: 'airport', rightColumn: 'iata' }],
  fields: fieldsOf([
    {
      path: 'Strike',
      tableAlias: 'strikes',
      columns: [
        ['strike_id', 'Strike ID', 'num'],
        ['flight_date', 'Flight Date', 'doz'],
        ['time_of_day', 'Time of Day'],
        ['phase_of_flight', 'Phase of Flight'],
        ['speed_knots', 'Speed in Knots', 'num'],
      ],
    },
    {
      path: 'Aircraft',
      tableAlias: 'strikes',
      columns: [
        ['operator', 'Operator'],
        ['aircraft', 'Aircraft'],
        ['damage', 'Damage'],
      ],
    },
    {
      path: 'Wildlife',
      tableAlias: 'strikes',
      columns: [
        ['species', 'Species'],
        ['wildlife_size', 'Wildlife Size'],
      ],
    },
    {
      path: 'Cost',
      tableAlias: 'strikes',
      columns: [
        ['cost_repair', 'Repair Cost', 'cur'],
        ['cost_other', 'Other Cost', 'cur'],
        ['cost_total', 'Total Cost', 'cur'],
      ],
    },
    {
      path: 'Place',
      tableAlias: 'strikes',
      columns: [
        ['airport', 'Airport'],
        ['airport_name', 'Reported Airport Name'],
        ['state', 'State'],
        ['state_name', 'State Name'],
      ],
    },
    {
      path: 'Place/Airport',
      tableAlias: 'airport',
      columns: [
        ['name', 'Airport Name'],
        ['city', 'City'],
        ['state', 'Airport State'],
        ['latitude', 'Latitude', 'num'],
        ['longitude', 'Longitude', 'num'],
      ],
    },
    {
      path: 'Report',
      tableAlias: 'strikes',
      columns: [
        ['reported_at', 'Reported At', 'dat'],
        ['reported_unix', 'Reported (Unix)', 'udt'],
      ],
    },
  ]),
};
