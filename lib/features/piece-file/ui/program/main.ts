/*
 * The program of a file that holds a piece. It runs twice: in the page, and in the worker that the page starts from the
 * same text, where connectors run.
 */
import { openPlayer } from './player.ts'
import { serveTasks } from './tasks.ts'

if (typeof document === 'undefined') serveTasks()
else openPlayer()
