import sharp from "sharp";

const WIDTH = 900;
const MARGIN = 44;

/** A page's picture on white ground with a hairline and a soft shadow, 900 pixels wide, as a png of few colours. */
export async function pagePicture(page: Uint8Array): Promise<Buffer> {
  const sheet = await sharp(page)
    .resize({ width: WIDTH - 2 * MARGIN })
    .png()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = sheet.info;
  return sharp({
    create: {
      width: WIDTH,
      height: height + 2 * MARGIN,
      channels: 3,
      background: "#ffffff",
    },
  })
    .composite([
      { input: ground(width, height), left: 0, top: 0 },
      { input: sheet.data, left: MARGIN, top: MARGIN },
    ])
    .png({ palette: true, colours: 128, effort: 10, compressionLevel: 9 })
    .toBuffer();
}

function ground(width: number, height: number): Buffer {
  const at = `x="${MARGIN}" width="${width}" height="${height}"`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height + 2 * MARGIN}">
<defs><filter id="soft" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="14"/></filter></defs>
<rect ${at} y="${MARGIN + 10}" fill="#141821" fill-opacity=".16" filter="url(#soft)"/>
<rect x="${MARGIN - 0.5}" y="${MARGIN - 0.5}" width="${width + 1}" height="${height + 1}" fill="none" stroke="#d5d8de"/></svg>`,
  );
}
