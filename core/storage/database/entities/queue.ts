import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import { datetime, id, int, nullable, varchar } from "./columns.js";

/** A wake-up for a row of another table; only `core/queue` uses it. */
@Entity("job")
@Index("ix_job_ready", ["kind", "share", "readyAt"])
export class Job {
  @PrimaryColumn(id) kind!: string;
  @PrimaryColumn(id) rowId!: string;
  /** The partition among which workers are shared fairly; may be empty. */
  @Column(id) share!: string;
  /** When it may be claimed: its scheduled time, or the end of its lease while it runs. */
  @Column(datetime) readyAt!: Date;
  /** Runs that started and did not finish. */
  @Column(int) attempts!: number;
  /** Fencing token of the claim. */
  @Column(nullable(id)) lockToken!: string | null;
  /** The process that runs it, for diagnosis. */
  @Column(nullable(varchar(255))) lockedBy!: string | null;
  /** When it was requested again while it ran. */
  @Column(nullable(datetime)) wokenAt!: Date | null;
}
