import type { Sql } from 'postgres'

/**
 * Installs triggers that audit every commit: every illegal change of an item, a delta or the finalized height leaves a
 * row, in the transaction that makes it.
 */
export async function startAudit(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create table illegal (what text not null);

    create function watch_item() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        insert into illegal values ('item deleted: ' || old.feed_id);
      elsif old.status = 'finalized' and (to_jsonb(new) - 'updated_at_ms') <> (to_jsonb(old) - 'updated_at_ms') then
        insert into illegal values ('finalized item changed: ' || to_jsonb(old) || ' -> ' || to_jsonb(new));
      elsif old.status || ' ' || new.status not in ('observed safe', 'observed finalized', 'observed removed',
          'safe finalized', 'safe removed', 'removed observed', 'removed safe', 'removed finalized',
          'finalized finalized') then
        insert into illegal values ('item moved: ' || old.feed_id || ' ' || old.status || ' -> ' || new.status);
      elsif new.visible <> (new.status <> 'removed') then
        insert into illegal values ('item is ' || new.status || ' and visible is ' || new.visible);
      end if;
      return null;
    end $$;
    create trigger watch_item after update or delete on feed_items for each row execute function watch_item();

    create function watch_delta() returns trigger language plpgsql as $$
    begin
      insert into illegal values ('delta changed: ' || old.stream_seq);
      return null;
    end $$;
    create trigger watch_delta after update or delete on feed_outbox for each row execute function watch_delta();

    create function watch_state() returns trigger language plpgsql as $$
    begin
      if new.finalized_block < old.finalized_block or new.safe_block < old.safe_block
          or new.last_stream_seq < old.last_stream_seq then
        insert into illegal values ('heights went back: ' || to_jsonb(old) || ' -> ' || to_jsonb(new));
      end if;
      return null;
    end $$;
    create trigger watch_state after update on worker_state for each row execute function watch_state();`)
}

export async function illegalChanges(sql: Sql): Promise<string[]> {
  return (await sql<{ what: string }[]>`select what from illegal`).map(({ what }) => what)
}

/** A delta as readers see it. */
export interface Delta {
  readonly stream_seq: number
  readonly feed_id: string
  readonly status: string
  readonly history_cursor: string
}

export async function readDeltas(sql: Sql): Promise<Delta[]> {
  const rows = await sql<{ stream_seq: string; feed_id: string; status: string; history_cursor: string }[]>`
    select stream_seq, feed_id, status, history_cursor from feed_outbox
    order by stream_seq`
  return rows.map((row) => ({ ...row, stream_seq: Number(row.stream_seq) }))
}

const AFTER: Readonly<Record<string, readonly string[]>> = {
  none: ['observed', 'safe', 'finalized'],
  observed: ['safe', 'finalized', 'removed'],
  safe: ['finalized', 'removed'],
  removed: ['observed', 'safe', 'finalized'],
  finalized: [],
}

/** Violations in the histories of the deltas: gaps, illegal transitions, an item that jumps. */
export function illegalHistories(deltas: readonly Delta[]): string[] {
  const problems: string[] = []
  const last = new Map<string, Delta>()
  deltas.forEach((delta, i) => {
    if (delta.stream_seq !== i + 1) problems.push(`delta ${i + 1} has number ${delta.stream_seq}`)
    const before = last.get(delta.feed_id)
    if (!AFTER[before?.status ?? 'none']?.includes(delta.status)) {
      problems.push(`${delta.feed_id}: ${before?.status ?? 'none'} -> ${delta.status} at ${delta.stream_seq}`)
    }
    if (before && before.status !== 'removed' && before.history_cursor !== delta.history_cursor) {
      problems.push(`${delta.feed_id} jumped from ${before.history_cursor} to ${delta.history_cursor}`)
    }
    last.set(delta.feed_id, delta)
  })
  return problems
}
