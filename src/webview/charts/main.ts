/** The charts, a bundle of their own that the results page loads when the first chart is drawn. */
import { ChartDrawing } from './chartDrawing.ts';

window.analyticsCharts = { ChartDrawing };
