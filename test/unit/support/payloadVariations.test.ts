import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawVariation, drawnVariations, startDraws } from '../../support/run/payloadVariations.ts';
import { startScriptedServer } from '../../support/scriptedServer.ts';

describe('variations of payloads drawn by a seed', () => {
  beforeEach(() => vi.stubEnv('ANALYTICS_STUDIO_PAYLOADS', '7'));
  afterEach(() => vi.unstubAllEnvs());

  const drawsOf = (test: string): string[] => {
    startDraws(test);
    return Array.from({ length: 40 }, drawVariation);
  };

  it('are the same for a test whatever ran before it, and others for another test or seed', () => {
    const before = drawsOf('one');
    const other = drawsOf('other');
    expect(drawsOf('one')).toEqual(before);
    expect(other).not.toEqual(before);
    vi.stubEnv('ANALYTICS_STUDIO_PAYLOADS', '8');
    expect(drawsOf('one')).not.toEqual(before);
  });

  it('are as listed without a seed, and then none counts as drawn', () => {
    vi.stubEnv('ANALYTICS_STUDIO_PAYLOADS', undefined);
    expect(new Set(drawsOf('one'))).toEqual(new Set(['asListed']));
    expect(drawnVariations()).toEqual([]);
  });

  it('show in what scripted servers answer: each of the six ways comes up', async () => {
    startDraws('servers');
    const reply = { ErrorCode: 0, Label: '', Note: null, Made: '2026-01-02T03:04:05.678Z' };
    const texts = new Set<string>();
    for (let count = 0; count < 60; count += 1) {
      const server = await startScriptedServer(() => reply);
      texts.add(await (await fetch(`${server.url}/api/x`)).text());
      await server.close();
    }
    expect([...texts].toSorted()).toEqual(
      [
        '{"ErrorCode":"0","Label":"","Note":null,"Made":"2026-01-02T03:04:05.678Z"}',
        '{"ErrorCode":0,"Label":null,"Note":null,"Made":"2026-01-02T03:04:05.678Z"}',
        '{"ErrorCode":0,"Made":"2026-01-02T03:04:05.678Z"}',
        '{"ErrorCode":0,"Label":"","Note":null,"Made":"2026-01-02T03:04:05.678Z","X_Unlisted":{"list":[1,null,"x"],"flag":true}}',
        '{"ErrorCode":0,"Label":"","Note":null,"Made":"2026-01-02T03:04:05.000+00:00"}',
        '{"ErrorCode":0,"Label":"","Note":null,"Made":"2026-01-02T03:04:05"}',
      ].toSorted(),
    );
  });
});
