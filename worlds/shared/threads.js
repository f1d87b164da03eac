/* The colours of voices, in the order of the site: indigo, madder, verdigris, weld, cochineal, walnut. */
export const THREADS = {
  light: ['#3450b4', '#b3283f', '#0c7562', '#856500', '#93307c', '#80502a'],
  dark: ['#93a7ff', '#ff8d8d', '#54d1b5', '#e8c24c', '#ea94d3', '#dba877'],
}
