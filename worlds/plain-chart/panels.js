/* One panel a stream: what it is called, its line, its least and its most. */
import { THREADS } from './shared/threads.js'

/** More points than this cannot be distinguished; of each part the least and the most are drawn. */
const MOST_POINTS = 2000

/** @returns what shows the panel and what marks one of its steps. */
export function panelOf({ path, data }, place, called) {
  const [low, high] = rangeOf(data)
  const figure = document.createElement('figure')
  const [light, dark] = [THREADS.light, THREADS.dark].map((dyes) => dyes[place % dyes.length])
  figure.style.setProperty('--thread', `light-dark(${light}, ${dark})`)
  figure.innerHTML = `<figcaption><span></span><b></b></figcaption><div class="plot">
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><path d="${lineOf(data, low, high)}"/></svg>
    <i>${high}</i><i>${low}</i><div class="cursor"></div></div>`
  const [name, value] = figure.firstElementChild.children
  name.textContent = called
  name.title = path
  const cursor = figure.querySelector('.cursor')
  return {
    figure,
    mark(step) {
      if (step >= data.length) return
      value.textContent = data[step]
      cursor.style.left = `${xOf(step, data.length) * 100}%`
      cursor.style.setProperty('--height', `${yOf(data[step], low, high) * 100}%`)
    },
  }
}

export function tableOf(streams, names) {
  const table = document.createElement('table')
  const row = (cells, kind) => {
    const line = document.createElement('tr')
    for (const [column, text] of cells.entries()) {
      const cell = document.createElement(column === 0 ? 'th' : kind)
      cell.textContent = text
      if (kind === 'th') cell.scope = 'col'
      else if (column === 0) cell.scope = 'row'
      line.append(cell)
    }
    return line
  }
  table.append(row(['Step', ...names], 'th'))
  const steps = Math.max(0, ...streams.map(({ data }) => data.length))
  for (let step = 0; step < Math.min(steps, MOST_POINTS); step += 1) {
    table.append(row([step, ...streams.map(({ data }) => data[step] ?? '')], 'td'))
  }
  if (steps > MOST_POINTS) table.append(row([`and ${steps - MOST_POINTS} more`], 'td'))
  return table
}

function xOf(step, steps) {
  return steps > 1 ? step / (steps - 1) : 0.5
}
function yOf(value, low, high) {
  return high > low ? 0.96 - (0.92 * (value - low)) / (high - low) : 0.5
}

function rangeOf(data) {
  return data.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [data[0] ?? 0, data[0] ?? 0],
  )
}

function lineOf(data, low, high) {
  const part = Math.max(1, Math.ceil((2 * data.length) / MOST_POINTS))
  const steps = []
  for (let from = 0; from < data.length; from += part) {
    const some = Array.from({ length: Math.min(part, data.length - from) }, (_, offset) => from + offset)
    if (part === 1) steps.push(from)
    else {
      const [least, most] = [
        some.reduce((a, b) => (data[b] < data[a] ? b : a)),
        some.reduce((a, b) => (data[b] > data[a] ? b : a)),
      ]
      steps.push(...[least, most].sort((a, b) => a - b))
    }
  }
  if (steps.length === 1) return `M0 ${yOf(data[0], low, high)}H1`
  return `M${steps.map((step) => `${xOf(step, data.length).toFixed(5)} ${yOf(data[step], low, high).toFixed(4)}`).join('L')}`
}
