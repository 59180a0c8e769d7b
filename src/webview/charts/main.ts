/** The charts, in a separate bundle that the results page loads when it draws the first chart. */
import { ChartDrawing } from './chartDrawing.ts';

window.analyticsCharts = { ChartDrawing };
