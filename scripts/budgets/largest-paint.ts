import lighthouse from 'lighthouse'
import Trace from 'lighthouse/core/gather/gatherers/trace.js'

// Chromium 147 crashes while this is traced, and no figure of ours comes from it.
const CRASHES = 'blink.webdx_feature_usage'
const traced = Trace.getDefaultTraceCategories().filter((category) => category !== CRASHES)
Trace.getDefaultTraceCategories = () => traced

/**
 * Milliseconds until the largest part of a page is painted, as Lighthouse has it with its default throttling: a phone
 * on a slow mobile network. A busy machine makes it longer.
 *
 * @param debuggingPort Where a running Chromium listens for its tools.
 * @throws Error when Lighthouse has no figure.
 */
export async function largestPaint(url: string, debuggingPort: number): Promise<number> {
  const result = await lighthouse(url, {
    port: debuggingPort,
    onlyAudits: ['largest-contentful-paint'],
    output: 'json',
    logLevel: 'silent',
  })
  const audit = result?.lhr.audits['largest-contentful-paint']
  if (audit?.numericValue === undefined) {
    throw new Error(`No figure for ${url}: ${result?.lhr.runtimeError?.message ?? audit?.errorMessage}`)
  }
  return audit.numericValue
}
