const kinds = {
  mp4: { format: "Mp4OutputFormat", codec: "avc" },
  mov: { format: "MovOutputFormat", codec: "avc" },
  webm: { format: "WebMOutputFormat", codec: "vp9" },
} as const;

/** As H.264 is told apart: its settings, which no frame here follows. */
const avcSettings = Uint8Array.from([
  1, 66, 0, 31, 255, 225, 0, 4, 0x67, 66, 0, 31, 1, 0, 4, 0x68, 0xce, 0x3c,
  0x80,
]);

const decoders = {
  avc: { codec: "avc1.42001f", description: avcSettings },
  vp9: { codec: "vp09.00.10.08" },
} as const;

/** A whole file of that kind, 640 by 360, whose frames hold nothing. */
export async function aVideo(
  kind: keyof typeof kinds,
  { seconds = 2, bytesPerFrame = 100 } = {},
): Promise<Buffer> {
  // By the same door as the service, which loads it when it is needed.
  const library = await import("mediabunny");
  const { format, codec } = kinds[kind];
  const target = new library.BufferTarget();
  const output = new library.Output({ format: new library[format](), target });
  const source = new library.EncodedVideoPacketSource(codec);
  output.addVideoTrack(source, { frameRate: 10 });
  await output.start();
  const decoderConfig = {
    ...decoders[codec],
    codedWidth: 640,
    codedHeight: 360,
  };
  for (let frame = 0; frame < seconds * 10; frame += 1) {
    const data = new Uint8Array(bytesPerFrame).fill(frame + 1);
    const type = frame === 0 ? "key" : "delta";
    const packet = new library.EncodedPacket(data, type, frame / 10, 0.1);
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  if (target.buffer) return Buffer.from(target.buffer);
  throw new Error("no video was made");
}
