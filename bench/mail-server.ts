import { SMTPServer } from "smtp-server";

// A mail server on loopback in a process of its own, which reads mails and keeps none. It says its port, and every count
// of mails; clients get no greeting before it is told to start.

let count = 0;
let isOpen = false;
const waiting: (() => void)[] = [];

const server = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  onConnect(_session, done) {
    if (isOpen) done();
    else waiting.push(() => done());
  },
  onData(stream, _session, done) {
    stream.resume();
    stream.on("end", () => {
      count += 1;
      process.send?.({ count });
      done();
    });
  },
});
server.on("error", () => undefined);
server.listen(0, "127.0.0.1", () => {
  const address = server.server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : 0 });
});
process.on("message", () => {
  isOpen = true;
  for (const greet of waiting.splice(0)) greet();
});
process.on("disconnect", () => process.exit());
