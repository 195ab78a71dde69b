// The chart of the README: the gateway compared with the baseline and its targets, and the CPU time per request of every server.

import { init } from 'echarts';

import { heading, INK, nameAxis, valueAxis } from './chart-axes.mjs';
import { CACHED, FLOOR, isPeer, OURS, UNCACHED } from './contestants.ts';

const PEER = '#b6bfc9';
const COLOURS = {
  [OURS]: '#0969da',
  [CACHED]: '#0969da',
  [UNCACHED]: '#80b3f0',
  [FLOOR]: '#57606a',
};
const TARGET = '#cf222e';
const [WIDTH, ROW, TOP] = [920, 30, 96];

/** Draws results as SVG. */
export function draw({ works }) {
  const judged = works.flatMap(toJudged);
  const compared = works.filter(({ servers }) => servers.some(({ name }) => isPeer(name)));
  const upper = judged.length * ROW;
  const lower = Math.max(0, ...compared.map(({ servers }) => servers.length)) * ROW;
  const height = TOP + upper + 120 + lower + 30;
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  const half = (WIDTH - 40) / compared.length;
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: 'system-ui, sans-serif', color: INK },
    title: [
      heading('Beside bare node:http (1 is as good; the red line is the target)', 20, 20),
      ...compared.map(({ title }, i) =>
        heading(`CPU µs a request: ${title}`, 20 + i * half, TOP + upper + 66),
      ),
    ],
    grid: [
      { left: 290, right: 60, top: TOP - 30, height: upper },
      ...compared.map((_, i) => ({
        left: 20 + i * half + 170,
        width: half - 260,
        top: TOP + upper + 110,
        height: lower,
      })),
    ],
    xAxis: [valueAxis(0, mostOf(judged)), ...compared.map((_, i) => valueAxis(i + 1))],
    yAxis: [
      nameAxis(
        0,
        judged.map(({ title, ratio }) => `${title}: ${ratio.median.toFixed(2)}`),
      ),
      ...compared.map(({ servers }, i) =>
        nameAxis(
          i + 1,
          servers.map(({ name }) => name),
        ),
      ),
    ],
    series: [...ratioSeries(judged), ...compared.map(costSeries)],
  });
  const svg = chart.renderToSVGString();
  chart.dispose(); // otherwise its timer keeps the process alive
  return svg;
}

/** The targets that are ratios, as bars. */
function toJudged({ title, servers, targets }) {
  return targets
    .filter(({ least }) => least !== undefined)
    .map(({ server, count, least }) => ({
      title: [OURS, CACHED].includes(server) ? title : `${title.split(',')[0]}, ${server}`,
      least,
      ratio: servers.find(({ name }) => name === server).summary[count].ratio,
    }));
}

function ratioSeries(judged) {
  return [
    {
      type: 'bar',
      barWidth: 14,
      itemStyle: { color: COLOURS[OURS], borderRadius: 2 },
      data: judged.map(({ ratio }) => ratio.median),
    },
    {
      type: 'custom',
      renderItem: whisker,
      z: 5,
      data: judged.map(({ ratio }, i) => [ratio.min, i, ratio.max]),
    },
    {
      type: 'scatter',
      symbol: 'rect',
      symbolSize: [3, 22],
      itemStyle: { color: TARGET },
      data: judged.map(({ least }, i) => [least, i]),
    },
  ];
}

/** From the smallest to the largest ratio. */
function whisker(_, api) {
  const [from, y] = api.coord([api.value(0), api.value(1)]);
  const [to] = api.coord([api.value(2), api.value(1)]);
  const ends = [from, to].map((x) => line(x, y - 4, x, y + 4));
  return { type: 'group', children: [line(from, y, to, y), ...ends] };
}

function line(x1, y1, x2, y2) {
  return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: INK, lineWidth: 1.5 } };
}

function costSeries({ servers }, i) {
  return {
    type: 'bar',
    xAxisIndex: i + 1,
    yAxisIndex: i + 1,
    barWidth: 16,
    data: servers.map(({ name, summary }) => ({
      value: summary.cpuUs.value.median,
      itemStyle: {
        color: COLOURS[name] ?? PEER,
        borderRadius: 2,
      },
    })),
    label: {
      show: true,
      position: 'right',
      color: INK,
      formatter: ({ value }) => Math.round(value).toLocaleString('en'),
    },
  };
}

/** The gateway may beat the baseline if the baseline is the gateway with other settings. */
function mostOf(judged) {
  return Math.max(1, ...judged.map(({ ratio }) => Math.ceil(ratio.max * 5) / 5));
}
