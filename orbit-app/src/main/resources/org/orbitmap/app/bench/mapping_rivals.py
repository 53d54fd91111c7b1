# What others take for parts of what orbit bench measures: a line "name microseconds" each, one thread, the
# least of many rounds. OpenCV: the warp alone. PyTorch: the paper's method (blur, gradient on two circles,
# rotation) and the alignment of a cloud by eigh.
import math, sys, time
import numpy as np

seconds = float(sys.argv[1])
rng = np.random.default_rng(1)


def least(work):
    for _ in range(3):
        work()
    start = time.perf_counter()
    work()
    count = max(1, int(5e-3 / max(1e-7, time.perf_counter() - start)))
    best, end = math.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(count):
            work()
        best = min(best, (time.perf_counter() - start) / count)
    return 1e6 * best


def tell(name, work):
    print(name, least(work), flush=True)


def opencv(cv2):
    cv2.setNumThreads(1)
    for side in 32, 224:
        image = rng.random((side, side, 3), dtype=np.float32)
        turn = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), 37, 1)
        out = np.empty_like(image)
        for kind, flag in ("bilinear", cv2.INTER_LINEAR), ("bicubic", cv2.INTER_CUBIC):
            tell(f"opencv-warp-{side}-{kind}",
                 lambda: cv2.warpAffine(image, turn, (side, side), dst=out, flags=flag))


def pytorch(torch):
    torch.set_num_threads(1)
    functional = torch.nn.functional
    for side in 32, 224:
        image = torch.rand(1, 3, side, side)
        reach = torch.arange(-6, 7).float()
        bell = torch.exp(-reach ** 2 / (2 * 1.5 ** 2))
        bell = (bell / bell.sum())[None, None]
        angle = math.pi / 4 + 2 * math.pi * torch.arange(360) / 360
        radius = torch.tensor([0.05, 0.4])[:, None] * (side - 1)
        x = (radius * torch.cos(angle) + (side - 1) / 2).flatten()
        y = (radius * torch.sin(angle) + (side - 1) / 2).flatten()
        i, j = x.floor().long(), y.floor().long()
        u, v = x - i, y - j

        def pose():
            grey = functional.pad(image.mean(1, keepdim=True), (6, 6, 6, 6), mode="replicate")
            blurred = functional.conv2d(functional.conv2d(grey, bell[:, :, None]), bell[..., None])[0, 0]
            a, b, c, d = blurred[j, i], blurred[j, i + 1], blurred[j + 1, i], blurred[j + 1, i + 1]
            right = ((1 - v) * (b - a) + v * (d - c)).sum()
            down = ((1 - u) * (c - a) + u * (d - b)).sum()
            length = torch.sqrt(right * right + down * down)
            return right / length, down / length

        def mapped(kind):
            cos, sin = pose()
            zero = torch.zeros(())
            turn = torch.stack([cos, -sin, zero, sin, cos, zero]).view(1, 2, 3)
            grid = functional.affine_grid(turn, image.shape, align_corners=True)
            return functional.grid_sample(image, grid, mode=kind, align_corners=True)

        for kind in "bilinear", "bicubic":
            tell(f"pytorch-paper-{side}-{kind}", lambda: mapped(kind))
    cloud = torch.rand(1024, 3) ** 2 * torch.tensor([1.0, 2.0, 3.0])

    def aligned():
        centred = cloud - cloud.mean(0)
        axes = torch.linalg.eigh(centred.T @ centred)[1]
        turned = centred @ axes
        turned = turned * torch.sign((turned ** 3).sum(0))
        return turned / turned.norm(dim=1).mean()

    tell("pytorch-eigh-1024", aligned)


try:
    import cv2

    opencv(cv2)
except ImportError:
    pass
try:
    import torch

    with torch.no_grad():
        pytorch(torch)
except ImportError:
    pass
