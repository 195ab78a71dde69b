// The axes and headings of the chart.

/** The properties of texts and lines. */
export const INK = '#24292f';
const FAINT = '#d0d7de';

/** A title over a part of the chart. */
export function heading(text, left, top) {
  return { text, left, top, textStyle: { fontSize: 14, fontWeight: 600, color: INK } };
}

/** Numbers from 0. The axis is hidden. */
export function valueAxis(gridIndex, max) {
  return {
    type: 'value',
    gridIndex,
    min: 0,
    ...(max === undefined ? { show: false } : { max, interval: 0.2 }),
    splitLine: { lineStyle: { color: FAINT } },
    axisLabel: { color: INK },
  };
}

/** A label for each row, from the top. */
export function nameAxis(gridIndex, data) {
  return {
    type: 'category',
    gridIndex,
    data,
    inverse: true,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: FAINT } },
    axisLabel: { color: INK, width: 270, overflow: 'truncate' },
  };
}
