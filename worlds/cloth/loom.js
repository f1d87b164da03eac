import { isWarpOnTop } from './draft.js'
import { FRAGMENT, VERTEX } from './shader.js'

/** @returns something that weaves a draft onto the canvas, on the graphics card where there is one. */
export function openLoom(canvas) {
  const gl = canvas.getContext('webgl', { antialias: false })
  return gl ? shaderLoom(gl) : plainLoom(canvas.getContext('2d'))
}

function shaderLoom(gl) {
  const program = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ]) {
    const shader = gl.createShader(type)
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program))
  // biome-ignore lint/correctness/useHookAtTopLevel: of WebGL, not of React
  gl.useProgram(program)
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW)
  const corner = gl.getAttribLocation(program, 'corner')
  gl.enableVertexAttribArray(corner)
  gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0)
  const place = (name) => gl.getUniformLocation(program, name)
  const places = Object.fromEntries(
    ['warp', 'weft', 'size', 'light', 'threads', 'shown', 'time', 'pick'].map((name) => [name, place(name)]),
  )
  const textures = [0, 1].map((unit) => {
    gl.activeTexture(gl.TEXTURE0 + unit)
    const texture = gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, texture)
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE)
    return texture
  })
  gl.uniform1i(places.warp, 0)
  gl.uniform1i(places.weft, 1)
  let strung
  return ({ warp, weft, threads }, { width, height, light, seconds, scale, pick }) => {
    if (strung !== warp) {
      for (const [unit, bytes] of [warp, weft].entries()) {
        gl.activeTexture(gl.TEXTURE0 + unit)
        gl.bindTexture(gl.TEXTURE_2D, textures[unit])
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, threads, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes)
      }
      strung = warp
    }
    gl.viewport(0, 0, width, height)
    gl.uniform2f(places.size, width, height)
    gl.uniform2f(places.light, light[0], light[1])
    gl.uniform1f(places.threads, threads)
    // A thread is never thinner than seven pixels of the page.
    gl.uniform1f(places.shown, Math.min(threads, Math.max(width, height) / scale / 7))
    gl.uniform1f(places.time, seconds)
    gl.uniform1f(places.pick, pick)
    gl.drawArrays(gl.TRIANGLES, 0, 3)
  }
}

/** The same draft in flat colours. */
function plainLoom(pen) {
  return ({ warp, weft, threads }, { width, height, pick }) => {
    const cell = Math.max(width, height) / threads
    const colour = (bytes, thread) => `rgb(${[...bytes.subarray(thread * 4, thread * 4 + 3)].join(' ')})`
    for (let row = 0; row < threads; row += 1) {
      for (let column = 0; column < threads; column += 1) {
        const warpOnTop = isWarpOnTop(warp[column * 4 + 3], weft[row * 4 + 3])
        pen.fillStyle = row === pick ? '#fff4d8' : warpOnTop ? colour(warp, column) : colour(weft, row)
        pen.fillRect(column * cell, height - (row + 1) * cell, cell + 1, cell + 1)
      }
    }
  }
}
