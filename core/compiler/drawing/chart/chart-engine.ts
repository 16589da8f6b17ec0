import { createRequire } from "node:module";
import type * as ECharts from "echarts";
import { textWidth } from "../text-width.js";

const require = createRequire(import.meta.url);

/**
 * An option as ECharts' own SVG. The library is loaded with the first chart: it takes 65 ms and 16 MB, which a service
 * without charts need not spend; and a template draws synchronously, so that it cannot be an `import()`.
 */
export function renderOption(
  option: ECharts.EChartsOption,
  width: number,
  height: number,
): string {
  const echarts: typeof ECharts = require("echarts/dist/echarts.min");
  echarts.setPlatformAPI({ measureText });
  const chart = echarts.init(null, null, {
    renderer: "svg",
    ssr: true,
    width,
    height,
  });
  try {
    chart.setOption({ animation: false, ...option });
    return chart.renderToSVGString({ useViewBox: true });
  } finally {
    chart.dispose();
  }
}

/** Without a browser ECharts would guess by a font of its own, which is narrower than ours. */
function measureText(text: string, font?: string): { width: number } {
  const size = Number(/([\d.]+)px/.exec(font ?? "")?.[1] ?? 12);
  return { width: textWidth(text, size) };
}
