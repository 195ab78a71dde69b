// The chart of the README: ours against the floor and its targets, and what one request costs everybody.

import { init } from 'echarts';

const INK = '#24292f';
const FAINT = '#d0d7de';
const COLOURS = { ours: '#0969da', floor: '#57606a', peer: '#b6bfc9', target: '#cf222e' };
const OURS = 'memory-gateway';
const [WIDTH, ROW, TOP] = [920, 30, 96];

/** Draws results as SVG. */
export function draw({ works }) {
  const judged = works.flatMap(toJudged);
  const compared = works.filter(({ servers }) => servers.length > 2 && has(servers, OURS));
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
        left: 20 + i * half + 120,
        width: half - 210,
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
  chart.dispose(); // else its clock goes on, and the process with it
  return svg;
}

/** The targets that are ratios, as bars. */
function toJudged({ title, servers, targets }) {
  return targets
    .filter(({ least }) => least !== undefined)
    .map(({ server, count, least }) => ({
      title: server === OURS ? title : `${title.split(',')[0]}, ${server}`,
      least,
      ratio: servers.find(({ name }) => name === server).summary[count].ratio,
    }));
}

function ratioSeries(judged) {
  return [
    {
      type: 'bar',
      barWidth: 14,
      itemStyle: { color: COLOURS.ours, borderRadius: 2 },
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
      itemStyle: { color: COLOURS.target },
      data: judged.map(({ least }, i) => [least, i]),
    },
  ];
}

/** From the least to the greatest ratio. */
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
    data: servers.map(({ name, summary }, place) => ({
      value: summary.cpuUs.value.median,
      itemStyle: {
        color: place === 0 ? COLOURS.floor : name === OURS ? COLOURS.ours : COLOURS.peer,
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

function heading(text, left, top) {
  return { text, left, top, textStyle: { fontSize: 14, fontWeight: 600, color: INK } };
}

function valueAxis(gridIndex, max) {
  return {
    type: 'value',
    gridIndex,
    min: 0,
    ...(max === undefined ? { show: false } : { max, interval: 0.2 }),
    splitLine: { lineStyle: { color: FAINT } },
    axisLabel: { color: INK },
  };
}

function nameAxis(gridIndex, data) {
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

/** Ours may do better than the floor, where that is ours, too. */
function mostOf(judged) {
  return Math.max(1, ...judged.map(({ ratio }) => Math.ceil(ratio.max * 5) / 5));
}

function has(servers, wanted) {
  return servers.some(({ name }) => name === wanted);
}
