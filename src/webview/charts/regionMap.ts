import { geoConicEqualArea } from 'd3-geo';
import type { GeoProjection } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { MapValue } from '../../contract/pages/chartFigure.ts';

interface RegionNames {
  code?: string;
  name?: string;
}

type Position = readonly number[];

/** The value of a map region, and the names for which it was sent. */
export interface RegionValue {
  name: string;
  value: number;
  sentAs: string[];
}

/** A region for ECharts: planar coordinates, y pointing up. */
interface PlanarRegion {
  type: 'Feature';
  properties: { name: string };
  geometry: { type: 'MultiPolygon'; coordinates: Position[][][] };
}

/** The states of the USA in an equal-area projection, with Alaska and Hawaii moved below the others. */
export class RegionMap {
  readonly regions: { type: 'FeatureCollection'; features: PlanarRegion[] };
  readonly #names = new Map<string, string>();

  /** @param bytes TopoJSON with the object `states`. @throws Error when it is invalid. */
  constructor(bytes: Uint8Array) {
    const topology = JSON.parse(new TextDecoder().decode(bytes)) as Topology<{
      states: GeometryCollection<RegionNames>;
    }>;
    const features = feature(topology, topology.objects.states).features.flatMap(({ geometry, properties }) => {
      const { code = '', name = code } = properties;
      const projection = projections[code] ?? mainland;
      if (islandsBeyond.has(code)) return [];
      const polygons =
        geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : geometry.type === 'Polygon'
            ? [geometry.coordinates]
            : [];
      this.#names.set(keyOf(code), name).set(keyOf(name), name);
      const coordinates = polygons.map((rings) => rings.map((ring) => ring.map((place) => project(projection, place))));
      const region: PlanarRegion = {
        type: 'Feature',
        properties: { name },
        geometry: { type: 'MultiPolygon', coordinates },
      };
      return [region];
    });
    this.regions = { type: 'FeatureCollection', features };
  }

  /** Name of the region with the given name or code; undefined if there is none. */
  find(text: string): string | undefined {
    return this.#names.get(keyOf(text));
  }

  /** The values by region: sums the values of names for the same region; averages are weighted by their counts. */
  valuesOf(sent: readonly MapValue[]): RegionValue[] {
    const joined = new Map<string, RegionValue & { meanOf: number }>();
    for (const { name: text, value, meanOf } of sent) {
      const name = this.find(text);
      if (name === undefined || Number.isNaN(value)) continue;
      const known = joined.get(name);
      if (known === undefined) {
        joined.set(name, { name, value, sentAs: [text], meanOf });
        continue;
      }
      const numbers = known.meanOf + meanOf;
      known.value = numbers === 0 ? known.value + value : (known.value * known.meanOf + value * meanOf) / numbers;
      known.meanOf = numbers;
      known.sentAs.push(text);
    }
    return [...joined.values()].map(({ name, value, sentAs }) => ({ name, value, sentAs }));
  }
}

/** Too far away to be drawn on the same map. */
const islandsBeyond = new Set(['PR', 'VI', 'GU', 'AS', 'MP']);

const mainland = geoConicEqualArea().parallels([29.5, 45.5]).rotate([96, 0]).center([-0.6, 38.7]).scale(1_000);
const projections: Readonly<Record<string, GeoProjection>> = {
  AK: geoConicEqualArea()
    .parallels([55, 65])
    .rotate([154, 0])
    .center([-2, 58.5])
    .scale(350)
    .translate([480 - 307, 250 + 201]),
  HI: geoConicEqualArea()
    .parallels([8, 18])
    .rotate([157, 0])
    .center([-3, 19.9])
    .scale(1_000)
    .translate([480 - 205, 250 + 212]),
};

function project(projection: GeoProjection, [longitude = 0, latitude = 0]: Position): Position {
  const [x, y] = projection([longitude, latitude]) ?? [0, 0];
  return [x, -y];
}

function keyOf(text: string): string {
  return text.trim().toLowerCase();
}
