import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import { count, id, instant, line } from "../columns.js";

/** A wake-up for a row of another table; the queue room alone reads and writes it. */
@Entity("job")
@Index("ix_job_ready", ["kind", "share", "readyAt"])
export class Job {
  @PrimaryColumn(id) kind!: string;
  @PrimaryColumn(id) rowId!: string;
  /** Among whom workers are shared fairly; empty when it does not matter. */
  @Column(id) share!: string;
  /** When it may be claimed: its time to run, or while it runs the end of its lease. */
  @Column(instant) readyAt!: Date;
  /** Runs that were begun and did not end by themselves. */
  @Column(count) attempts!: number;
  /** Proof of the claim; every save of the worker names it. */
  @Column({ ...id, nullable: true }) lockToken!: string | null;
  /** The node that runs it, for people who look. */
  @Column({ ...line, nullable: true }) lockedBy!: string | null;
  /** When it was asked for again while it ran. */
  @Column({ ...instant, nullable: true }) wokenAt!: Date | null;
}
