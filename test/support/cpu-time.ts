/**
 * Milliseconds of processor time that this thread takes until `run` is done. Limits on it hold on a busy machine too,
 * where the clock also counts what other programs take.
 */
export async function cpuTime(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
