/** Runs a command for an operator: prints the message of an error, without its stack, and exits with 1. */
export async function runCommand(main: () => void | Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
