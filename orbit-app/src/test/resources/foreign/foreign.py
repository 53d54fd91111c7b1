"""Networks of others with random weights, and what they answer.

  foreign.py NETWORK WIDTH CLASSES SIDE IMAGES half|single FOLDER

writes NETWORK.pth, NETWORK.safetensors and NETWORK.json (the scores) into FOLDER. ResNets are
torchvision's, made narrower by WIDTH; the NFNet is stated here, by the names of timm. Images have
samples ((2654435761 (i + 1)) mod 2^32 >> 8) / 2^24, i counted over all images; image k of n is then
multiplied by (k + 1)/n.
"""

import json
import math
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def resnet(name, width, classes):
    from torchvision.models.resnet import BasicBlock, Bottleneck, ResNet

    class Narrow(ResNet):
        def _make_layer(self, block, planes, blocks, **how):
            return super()._make_layer(block, max(1, round(planes * width)), blocks, **how)

        def __init__(self, block, depth):
            super().__init__(block, depth, num_classes=classes)
            if width == 1:
                return
            stem = max(1, round(64 * width))
            self.conv1 = nn.Conv2d(3, stem, 7, 2, 3, bias=False)
            self.bn1 = nn.BatchNorm2d(stem)
            self.inplanes = stem
            for i, blocks in enumerate(depth):
                how = dict(stride=1 if i == 0 else 2)
                setattr(self, f"layer{i + 1}", self._make_layer(block, 64 << i, blocks, **how))
            self.fc = nn.Linear(self.inplanes, classes)

    depths = {
        "resnet18-imagenet": (BasicBlock, [2, 2, 2, 2]),
        "resnet34": (BasicBlock, [3, 4, 6, 3]),
        "resnet50": (Bottleneck, [3, 4, 6, 3]),
        "resnet101": (Bottleneck, [3, 4, 23, 3]),
    }
    return Narrow(*depths[name])


class Conv(nn.Conv2d):
    """Standardised weights times a gain, zeros around as TensorFlow's SAME has them."""

    def __init__(self, into, out, side, stride=1, groups=1):
        super().__init__(into, out, side, stride, 0, groups=groups)
        self.gain = nn.Parameter(torch.ones(out, 1, 1, 1))

    def forward(self, x):
        w = self.weight
        mean = w.mean((1, 2, 3), keepdim=True)
        var = ((w - mean) ** 2).mean((1, 2, 3), keepdim=True)
        w = self.gain * (w - mean) / torch.sqrt(var + 1e-5) / math.sqrt(w[0].numel())
        pads = []
        for n in (x.shape[3], x.shape[2]):
            s, k = self.stride[0], self.kernel_size[0]
            p = max((math.ceil(n / s) - 1) * s + k - n, 0)
            pads += [p // 2, p - p // 2]
        return F.conv2d(F.pad(x, pads), w, self.bias, self.stride, 0, 1, self.groups)


def active(x):
    return 1.7015043497085571 * 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class Block(nn.Module):
    def __init__(self, into, group, groups, stride, beta):
        super().__init__()
        mid, out = group * groups, 2 * group * groups
        self.beta, self.stride = beta, stride
        self.downsample = None
        if into != out or stride != 1:
            self.downsample = nn.ModuleDict({"conv": Conv(into, out, 1)})
        self.conv1 = Conv(into, mid, 1)
        self.conv2 = Conv(mid, mid, 3, stride, groups)
        self.conv2b = Conv(mid, mid, 3, 1, groups)
        self.conv3 = Conv(mid, out, 1)
        self.attn_last = nn.ModuleDict(
            {"fc1": nn.Conv2d(out, mid, 1), "fc2": nn.Conv2d(mid, out, 1)}
        )
        self.skipinit_gain = nn.Parameter(torch.tensor(0.7))

    def forward(self, x):
        y = active(x) * self.beta
        shortcut = x
        if self.downsample is not None:
            z = y
            if self.stride == 2:
                z = F.avg_pool2d(y, 2, 2, ceil_mode=True, count_include_pad=False)
            shortcut = self.downsample["conv"](z)
        y = self.conv1(y)
        y = self.conv2(active(y))
        y = self.conv2b(active(y))
        y = self.conv3(active(y))
        s = self.attn_last["fc1"](y.mean((2, 3), keepdim=True))
        s = torch.sigmoid(self.attn_last["fc2"](torch.relu(s)))
        return shortcut + 0.2 * self.skipinit_gain * 2 * s * y


class NfNet(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        wide = lambda n: max(1, round(n * width))
        stem, into = {}, 3
        for i, (n, s) in enumerate(zip((16, 32, 64, 128), (2, 1, 1, 2))):
            stem[f"conv{i + 1}"] = Conv(into, wide(n), 3, s)
            into = wide(n)
        self.stem = nn.ModuleDict(stem)
        stages, v = [], 1.0
        for i, (depth, groups) in enumerate(zip((1, 2, 6, 3), (1, 2, 6, 6))):
            blocks = []
            for b in range(depth):
                stride = 2 if b == 0 and i > 0 else 1
                blocks.append(Block(into, wide(128), groups, stride, v**-0.5))
                into = 2 * wide(128) * groups
                v = (1.0 if b == 0 else v) + 0.04
            stages.append(nn.Sequential(*blocks))
        self.stages = nn.Sequential(*stages)
        self.final_conv = Conv(into, wide(3072), 1)
        self.head = nn.ModuleDict({"fc": nn.Linear(wide(3072), classes)})

    def forward(self, x):
        for i in range(4):
            x = self.stem[f"conv{i + 1}"](x if i == 0 else active(x))
        x = active(self.final_conv(self.stages(x)))
        return self.head["fc"](x.mean((2, 3)))


def images(count, side):
    i = np.arange(1, count * 3 * side * side + 1, dtype=np.uint64)
    bits = (i * np.uint64(2654435761)) % np.uint64(2**32)
    x = (bits >> np.uint64(8)).astype(np.float32) / np.float32(2**24)
    x = x.reshape(count, 3, side, side)
    for k in range(count):
        x[k] *= np.float32((k + 1) / count)
    return torch.from_numpy(x)


def write_safetensors(path, tensors):
    kinds = {torch.float32: "F32", torch.float16: "F16", torch.int64: "I64"}
    header, at, parts = {"__metadata__": {"format": "pt"}}, 0, []
    for name, t in tensors.items():
        raw = t.contiguous().numpy().tobytes()
        header[name] = dict(
            dtype=kinds[t.dtype], shape=list(t.shape), data_offsets=[at, at + len(raw)]
        )
        at += len(raw)
        parts.append(raw)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


def main(name, width, classes, side, count, precision, folder):
    torch.manual_seed(5)
    torch.set_num_threads(2)
    net = NfNet(width, classes) if name == "nfnet-f0" else resnet(name, width, classes)
    with torch.no_grad():
        for key, t in net.state_dict().items():
            if not t.is_floating_point():
                continue
            if key.endswith("running_mean"):
                t.uniform_(-0.1, 0.1)
            elif key.endswith("running_var"):
                t.uniform_(0.5, 1.5)
            elif ".bn" in key or ".downsample.1" in key or key.endswith("bias"):
                t.add_(torch.empty_like(t).uniform_(-0.1, 0.1))
            elif key.endswith("gain"):
                t.mul_(torch.empty_like(t).uniform_(0.8, 1.2))
            if precision == "half":
                t.copy_(t.half().float())
    net.eval()
    with torch.no_grad():  # scores of the size that trained networks give
        x = images(count, side)
        most = net(x[-1:]).abs().max()
        for key, t in net.state_dict().items():
            if most > 10 and key.startswith(("fc.", "head.")):
                t.mul_(10 / most)
    state = net.state_dict()
    if precision == "half":
        state = {k: t.half() if t.is_floating_point() else t for k, t in state.items()}
    torch.save(state, f"{folder}/{name}.pth")
    write_safetensors(f"{folder}/{name}.safetensors", state)
    with torch.no_grad():
        rows = [net(x[i : i + 1])[0].tolist() for i in range(count)]
    document = dict(
        parameters=sum(p.numel() for p in net.parameters()),
        width=width,
        classes=classes,
        side=side,
        scores=rows,
    )
    with open(f"{folder}/{name}.json", "w") as f:
        json.dump(document, f)


if __name__ == "__main__":
    a = sys.argv[1:]
    main(a[0], float(a[1]), int(a[2]), int(a[3]), int(a[4]), a[5], a[6])
