import fc from 'fast-check';

/**
 * Property tests draw the same cases in every run, so that a failing run says something about the change under test.
 * `PROPERTY_SEED` draws others: `PROPERTY_SEED=$RANDOM npm run test:property`.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 20_260_101) });
